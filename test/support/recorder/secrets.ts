import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Twin } from '#infra/local/twin/twin.ts';
import { providerName } from '#shared/domain/providers/provider.ts';

/** Secrets Manager, as far as the functions use it: the twin's credentials under `twin/<provider>`. */
export const startSecrets = async (twin: Twin) => {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { SecretId } = JSON.parse(Buffer.concat(chunks).toString()) as { SecretId: string };
    const secret = twin.credentials[providerName.parse(SecretId.replace('twin/', ''))];
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ Name: SecretId, SecretString: JSON.stringify(secret) }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The PROVIDERS variable: all three at the twin, their credentials in `startSecrets`. */
export const providersWithSecrets = (twin: Twin): string =>
  JSON.stringify({
    paystack: {
      secretId: 'twin/paystack',
      baseUrl: twin.baseUrls.paystack,
      customerEmailDomain: 'accounts.example.com',
    },
    monnify: { secretId: 'twin/monnify', baseUrl: twin.baseUrls.monnify, contractCode: twin.contractCode },
    korapay: { secretId: 'twin/korapay', baseUrl: twin.baseUrls.korapay },
  });
