import type { Endpoint } from './parsed.ts';
import { curl } from './samples/curl.ts';
import { go } from './samples/go.ts';
import { node } from './samples/node.ts';
import { php } from './samples/php.ts';
import { python } from './samples/python.ts';
import { sentOf } from './samples/sent.ts';

/* Requests to an endpoint in five languages, made of the document. They run as they are, with a key in PAYMENTS_KEY. */

/** A sample with the language's names, for the highlighter and for people. */
export interface Sample {
  readonly language: 'sh' | 'js' | 'python' | 'php' | 'go';
  readonly title: string;
  readonly code: string;
}

/** The samples of an endpoint. */
export const samplesOf = (endpoint: Endpoint): readonly Sample[] => {
  const sent = sentOf(endpoint);
  return [
    { language: 'sh', title: 'curl', code: curl(sent) },
    { language: 'js', title: 'Node', code: node(sent) },
    { language: 'python', title: 'Python', code: python(sent) },
    { language: 'php', title: 'PHP', code: php(sent) },
    { language: 'go', title: 'Go', code: go(sent) },
  ];
};
