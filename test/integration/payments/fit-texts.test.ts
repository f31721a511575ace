import { ASKED, merchant, openWorldForEachTest, world } from '#test/support/worlds/live-merchant.ts';
import { describeAtProviders } from '#test/support/worlds/provider-scenes.ts';

openWorldForEachTest();

/* The name that a sender's bank writes is made fit before anything else sees it, and never keeps money out of the books. */

const NAMES: readonly (readonly [string, string, string | null])[] = [
  ['half an emoji', '\ud83d', null],
  ['half an emoji in a name', 'CHIDI\ud83d EZE', 'CHIDI EZE'],
  ['controls and an escape', 'CHIDI\u0000\u001b[31mEZE', 'CHIDI [31mEZE'],
  ['an override of direction', '\u202eEZE CHIDI', 'EZE CHIDI'],
  ['a noncharacter', 'CHIDI\uffffEZE', 'CHIDI EZE'],
  ['500 characters', 'Ọ'.repeat(500), 'Ọ'.repeat(100)],
  ['a formula', '=HYPERLINK("https://example.com")', '=HYPERLINK("https://example.com")'],
];

describeAtProviders('a sender at %s whose name holds', (provider) => {
  test.each(NAMES)('%s: the money counts, and the name is fit to be shown', async (_, senderName, shown) => {
    const { reference, accountNumber } = await merchant.checkout(provider);
    await world.pay(provider, accountNumber, ASKED, { senderName, senderBank: senderName });
    const paid = { status: 'paid', paid_amount: ASKED / 100, sender_name: shown };
    expect(await merchant.fetch(reference)).toMatchObject(paid);
    expect((await merchant.api.requery(reference)).json.data).toMatchObject(paid);
    const [event] = await world.itemsOf('EVT');
    expect(JSON.parse(String(event?.body)).data.sender_name).toBe(shown);
    const { text } = await merchant.api.exportPayments();
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
    await world.expectBooksToAgree();
  });
});
