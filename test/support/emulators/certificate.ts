import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const EC = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

/** Makes a key and a self-signed certificate. `key`: openssl's arguments for the key; `host`: the subject alternative name. */
export const makeSelfSigned = (
  key: readonly string[] = EC,
  host = 'DNS:hooks.example',
): { readonly key: Buffer; readonly cert: Buffer } => {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const names = ['-subj', '/CN=hooks.example', '-addext', `subjectAltName=${host}`, '-days', '2'];
  const args = ['req', '-x509', '-newkey', ...key, '-nodes', '-keyout', keyFile, '-out', certFile, ...names];
  execFileSync('openssl', args, { stdio: 'ignore' });
  const pair = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  rmSync(directory, { recursive: true });
  return pair;
};

/** Lets this process also trust a certificate. Returns a function that ends this trust. */
export const trust = (cert: Buffer): (() => void) => {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert.toString()]);
  return () => setDefaultCACertificates(before);
};
