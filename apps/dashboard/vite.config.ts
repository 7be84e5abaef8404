import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'

import { fileOf } from './chunks.ts'
import { contractPlugin } from './contract-plugin.ts'
import { textsPlugin } from './texts-plugin.ts'

/** Adds the preload of the text font, whose file name carries a hash only the bundle knows. */
function preloadFont(): Plugin {
  return {
    name: 'kassa-preload-font',
    transformIndexHtml(_html, { bundle }) {
      const font = Object.keys(bundle ?? {}).find((file) => file.includes('geist-latin') && file.endsWith('.woff2'))
      if (font === undefined) return []
      const attrs = { rel: 'preload', href: `/${font}`, as: 'font', type: 'font/woff2', crossorigin: true }
      return [{ tag: 'link', injectTo: 'head-prepend', attrs }]
    },
  }
}

/** One step more takes as long again as all of them, and saves a hundredth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Less than this fits one packet as it is. */
const LEAST_BYTES = 1_000

/** Writes scripts and styles compressed, too: the server sends those files to whoever takes them (`@fastify/static`). */
function compressFiles(): Plugin {
  return {
    name: 'kassa-compress-files',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => /\.(?:js|css|svg)$/.test(file))
      await Promise.all(
        files.map(async (file) => {
          const bytes = await readFile(join(dir, file))
          if (bytes.length < LEAST_BYTES) return
          await writeFile(join(dir, `${file}.br`), await promisify(brotliCompress)(bytes, BROTLI))
          await writeFile(join(dir, `${file}.gz`), await promisify(gzip)(bytes))
        }),
      )
    },
  }
}

// oxlint-disable-next-line import/no-default-export -- Vite reads its settings from the default export
export default defineConfig({
  // React has had it since version 18; the library brings it for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  plugins: [textsPlugin(), contractPlugin(), react(), tailwindcss(), preloadFont(), compressFiles()],
  build: {
    outDir: 'build',
    // The content security policy allows no data: fonts or scripts, so no file is folded into another.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A page's program has a name of its own beside files of the same name: the byte budgets are weighed by it.
        chunkFileNames: ({ facadeModuleId }) =>
          facadeModuleId?.includes('/src/routes/') === true
            ? 'assets/page-[name]-[hash].js'
            : 'assets/[name]-[hash].js',
        codeSplitting: {
          groups: [{ debugName: 'first', name: (id, modules) => fileOf(id, modules) ?? null }],
          includeDependenciesRecursively: false,
        },
      },
    },
    // The floor of light-dark(), popover and anchor positioning, which the styles stand on.
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
  },
})
