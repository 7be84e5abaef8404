import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = join(HERE, 'build')

/** Bundles the payer's script. @returns {Promise<Uint8Array>} the minified bytes */
async function bundleScript() {
  const { outputFiles } = await build({
    entryPoints: [join(HERE, 'src/client/main.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    write: false,
  })
  return outputFiles[0].contents
}

/** Writes build/checkout.js, the same bytes under a name with their hash, and build/manifest.json, which names that file. */
async function buildCheckout() {
  const script = await bundleScript()
  const name = `checkout.${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`
  mkdirSync(OUT, { recursive: true })
  for (const old of readdirSync(OUT).filter((file) => /^checkout\..*js$/.test(file) && file !== name)) {
    rmSync(join(OUT, old))
  }
  writeFileSync(join(OUT, 'checkout.js'), script)
  writeFileSync(join(OUT, name), script)
  writeFileSync(join(OUT, 'manifest.json'), `${JSON.stringify({ script: name })}\n`)
  return { script: name, bytes: script.length }
}

const { script, bytes } = await buildCheckout()
process.stdout.write(`checkout: ${script}, ${bytes} bytes\n`)
