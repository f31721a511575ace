import { acceptsRest } from '#shared/providers/descriptions.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

test.each(providerName.options)(
  '%s returns an amount that is too small by default, so that no payer is asked for the rest',
  (name) => {
    expect(acceptsRest('live', name)).toBe(false);
  },
);

test.each(providerName.options)('the sandbox of %s takes every transfer', (name) => {
  expect(acceptsRest('test', name)).toBe(true);
});
