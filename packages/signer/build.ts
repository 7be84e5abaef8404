/**
 * `npm run build-signer`: one HTML file of the signer, without a reference to anything outside of it. The same source gives the
 * same bytes on every machine. It prints the file's SHA-256, for the release notes and for anyone who downloads it.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))

/** Builds the page. */
export async function signerPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, 'page/main.ts')],
    absWorkingDir: HERE,
    bundle: true,
    minify: true,
    charset: 'ascii',
    format: 'iife',
    legalComments: 'none',
    target: 'es2022',
    write: false,
  })
  // No string may end the script element.
  const program = (outputFiles[0]?.text ?? '').trim().replaceAll('</', '<\\/')
  const styles = readFileSync(join(HERE, 'page/signer.css'), 'utf8')
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
  const template = readFileSync(join(HERE, 'page/signer.html'), 'utf8')
  // The policy allows these two elements by their hashes: nothing may be added between them and their tags.
  return template
    .replace('{script}', hash(program))
    .replace('{style}', hash(styles))
    .replace('<style></style>', () => `<style>${styles}</style>`)
    .replace('<script></script>', () => `<script>${program}</script>`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await signerPage()
  const sha256 = createHash('sha256').update(page).digest('hex')
  mkdirSync(join(HERE, 'build'), { recursive: true })
  writeFileSync(join(HERE, 'build/signer.html'), page)
  writeFileSync(join(HERE, 'build/signer.json'), `${JSON.stringify({ sha256, bytes: Buffer.byteLength(page) })}\n`)
  process.stdout.write(`signer: build/signer.html, ${Buffer.byteLength(page)} bytes, SHA-256 ${sha256}\n`)
}
