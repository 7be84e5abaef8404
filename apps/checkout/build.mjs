import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = join(HERE, 'build')

/** The scripts by the name the manifest has for them; the parts for wallets are modules that the payer's script imports. */
const SCRIPTS = [
  { name: 'script', file: 'checkout', entry: 'src/client/main.ts', format: 'iife' },
  { name: 'wallet', file: 'wallet', entry: 'src/client/wallet/evm/main.ts', format: 'esm' },
  { name: 'tronWallet', file: 'tron-wallet', entry: 'src/client/wallet/tron/main.ts', format: 'esm' },
  { name: 'solanaWallet', file: 'solana-wallet', entry: 'src/client/wallet/solana/main.ts', format: 'esm' },
  { name: 'check', file: 'check', entry: 'src/client/addresses/check.ts', format: 'iife' },
  { name: 'promoter', file: 'promoter', entry: 'src/client/promoter/main.ts', format: 'iife' },
  { name: 'derive', file: 'derive', entry: 'src/client/addresses/derive.ts', format: 'iife' },
]

/** Bundles one script. @returns {Promise<Uint8Array>} the minified bytes */
async function bundle({ entry, format }) {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, entry)],
    bundle: true,
    minify: true,
    format,
    target: 'es2020',
    write: false,
  })
  return outputFiles[0].contents
}

/** What the server sends in place of a script to whoever takes it; `@fastify/static` finds it by its ending. */
const ENCODINGS = {
  '': (bytes) => bytes,
  '.br': (bytes) => brotliCompressSync(bytes),
  '.gz': (bytes) => gzipSync(bytes),
}

/** Writes each script under a name with its hash, also compressed, the payer's also as checkout.js, and manifest.json, which names them. */
async function buildCheckout() {
  const built = await Promise.all(SCRIPTS.map(async (script) => ({ ...script, bytes: await bundle(script) })))
  mkdirSync(OUT, { recursive: true })
  const names = built.map(({ file, bytes }) => {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    return `${file}.${hash}.js`
  })
  for (const old of readdirSync(OUT).filter(
    (file) => /\.js(\.|$)/.test(file) && !names.some((name) => file.startsWith(name)),
  )) {
    rmSync(join(OUT, old))
  }
  const manifest = {}
  for (const [at, { name, bytes }] of built.entries()) {
    for (const [ending, encode] of Object.entries(ENCODINGS)) {
      writeFileSync(join(OUT, `${names[at]}${ending}`), encode(bytes))
    }
    manifest[name] = names[at]
    process.stdout.write(`checkout: ${names[at]}, ${bytes.length} bytes\n`)
  }
  writeFileSync(join(OUT, 'checkout.js'), built[0].bytes)
  writeFileSync(join(OUT, 'manifest.json'), `${JSON.stringify(manifest)}\n`)
}

await buildCheckout()
