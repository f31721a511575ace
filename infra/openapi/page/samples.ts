import type { Endpoint } from './parsed.ts';
import { curl } from './samples/curl.ts';
import { go } from './samples/go.ts';
import { node } from './samples/node.ts';
import { php } from './samples/php.ts';
import { python } from './samples/python.ts';
import { makeSampleRequest } from './samples/sent.ts';

/* Makes sample requests in five languages from the document. They run without changes, with a key in PAYMENTS_KEY. */

/** A sample, with its language for the highlighter and its title for people. */
export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'php' | 'go';
  readonly title: string;
  readonly code: string;
}

/** Makes the samples of an endpoint. */
export const makeSamples = (endpoint: Endpoint): readonly Sample[] => {
  const request = makeSampleRequest(endpoint);
  return [
    { language: 'sh', title: 'curl', code: curl(request) },
    { language: 'js', title: 'Node', code: node(request) },
    { language: 'python', title: 'Python', code: python(request) },
    { language: 'php', title: 'PHP', code: php(request) },
    { language: 'go', title: 'Go', code: go(request) },
  ];
};
