/** `npm start`: installs and builds what is missing, then runs Kassa. Any Node from 18 on can read this file. */
import { fileURLToPath } from 'node:url'

import { finish, say } from './bootstrap/command.mjs'
import { installPackages } from './bootstrap/packages.mjs'
import { serve } from './bootstrap/serve.mjs'
import { buildStale } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

await finish(async () => {
  await installPackages(root, { dev: false })
  await buildStale(root)
  say('Starting…')
  process.exitCode = await serve(root, process.argv.slice(2))
})
