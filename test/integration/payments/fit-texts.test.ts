import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/* A sender's name is cleaned before anything else reads it. A strange name never keeps money out of the books. */

const NAMES: readonly (readonly [string, string, string | null])[] = [
  ['half an emoji', '\ud83d', null],
  ['half an emoji in a name', 'CHIDI\ud83d EZE', 'CHIDI EZE'],
  ['controls and an escape', 'CHIDI\u0000\u001b[31mEZE', 'CHIDI [31mEZE'],
  ['an override of direction', '\u202eEZE CHIDI', 'EZE CHIDI'],
  ['a noncharacter', 'CHIDI\uffffEZE', 'CHIDI EZE'],
  ['500 characters', 'Ọ'.repeat(500), 'Ọ'.repeat(100)],
  ['a formula', '=HYPERLINK("https://example.com")', '=HYPERLINK("https://example.com")'],
];

describeAtProviders('money at %s from a sender whose name holds', (provider) => {
  test.each(NAMES)('%s counts, and the name is safe to show', async (_, senderName, cleanedName) => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    await world.pay(provider, accountNumber, ASKED, { senderName, senderBank: senderName });
    const paid = { status: 'paid', paid_amount: ASKED / 100, sender_name: cleanedName };
    expect(await merchant.fetch(reference)).toMatchObject(paid);
    expect((await merchant.api.requery(reference)).json.data).toMatchObject(paid);
    const [event] = await world.itemsOf('EVT');
    expect(JSON.parse(String(event?.body)).data.sender_name).toBe(cleanedName);
    const { text } = await merchant.api.exportPayments();
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
    await world.expectBooksToAgree();
  });
});
