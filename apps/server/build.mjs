/** Joins the server's modules: Node loads a few large files in a third of the time of a thousand small ones, and in less memory. */
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

import { build } from 'esbuild'

const HERE = dirname(fileURLToPath(import.meta.url))
const OUT = join(HERE, 'build')

/** Packages of the registry are found where they are installed; those of this repository become part of the program. */
const installedPackages = {
  name: 'installed packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path }) => (path.startsWith('@kassa/') ? undefined : { path, external: true })),
}

/** A module finds the files beside it where its source is. */
const sourcePlaces = {
  name: 'places of the sources',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = relative(OUT, path)
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(source)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
      return { contents, loader: 'ts' }
    }),
}

rmSync(OUT, { recursive: true, force: true })
await build({
  entryPoints: [join(HERE, 'src/main.ts')],
  outdir: OUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [installedPackages, sourcePlaces],
  define: { KASSA_IS_BUILT: 'true' },
})
