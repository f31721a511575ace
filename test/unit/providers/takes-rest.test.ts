import { takesRest } from '#shared/providers/descriptions.ts';
import { providerName } from '#shared/providers/domain/provider.ts';

test.each(providerName.options)(
  '%s returns what is too little, by default or always: no payer is asked for a rest',
  (name) => {
    expect(takesRest('live', name)).toBe(false);
  },
);

test.each(providerName.options)('the stand-in of %s takes every transfer', (name) => {
  expect(takesRest('test', name)).toBe(true);
});
