import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SELF_SIGNED } from '../fixtures/self-signed.ts'

export type ProxyPorts = { https: number; http: number; lantern: number | readonly number[] }

/**
 * The example of `deploy` as it is, but for its ports and its certificate, in a configuration of one worker that writes
 * `access.log` and `error.log` in the folder. Returns the file.
 */
export async function writeNginxConf(folder: string, { https, http, lantern }: ProxyPorts): Promise<string> {
  await writeCertificate(folder)
  const example = await readFile('deploy/nginx.conf', 'utf8')
  const site = example
    .replace(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    .replace(/^ *server 127\.0\.0\.1:4173.*$/m, (line) =>
      [lantern]
        .flat()
        .map((port) => line.replace('4173', String(port)))
        .join('\n'),
    )
    .replaceAll('/etc/lantern/tls', folder)
    .replaceAll('/var/log/nginx', folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await writeFile(join(folder, 'site.conf'), site)
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log ${folder}/access.log;
  error_log ${folder}/error.log;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include site.conf;
}
`,
  )
  return file
}

/** The same for Caddy, which would ask for a certificate of its own. */
export async function writeCaddyfile(folder: string, { https, lantern }: ProxyPorts): Promise<string> {
  const [cert, key] = await writeCertificate(folder)
  const addresses = [lantern]
    .flat()
    .map((port) => `127.0.0.1:${port}`)
    .join(' ')
  const example = await readFile('deploy/Caddyfile', 'utf8')
  const site = example
    .replace(
      'lantern.example {',
      `https://lantern.example:${https} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
    )
    .replace('to 127.0.0.1:4173', `to ${addresses}`)
  const file = join(folder, 'Caddyfile')
  await writeFile(file, site.replace(/^\{$/m, '{\n\tadmin off\n\tauto_https disable_redirects'))
  return file
}

async function writeCertificate(folder: string): Promise<[string, string]> {
  const [cert, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')]
  await writeFile(cert, SELF_SIGNED.cert)
  await writeFile(key, SELF_SIGNED.key)
  return [cert, key]
}
