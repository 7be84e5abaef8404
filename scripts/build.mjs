/** `npm run build`: what the browser gets and what the server runs, built from source where the source has changed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { finish, runQuietly, say } from './bootstrap/command.mjs'
import { commitOf } from './bootstrap/commit.mjs'
import { findNode } from './bootstrap/node.mjs'
import { hashContents, hashTimes, listSources } from './bootstrap/sources.mjs'

const shared = ['packages/contract/src', 'packages/keys/src', 'packages/primitives/src', 'package-lock.json']

const parts = [
  {
    name: 'dashboard',
    folder: 'apps/dashboard',
    sources: [
      'src',
      'public',
      'index.html',
      'vite.config.ts',
      'texts-plugin.ts',
      'contract-plugin.ts',
      'chunks.ts',
      'package.json',
    ],
    program: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
  {
    name: 'checkout',
    folder: 'apps/checkout',
    sources: ['src', 'build.mjs', 'package.json'],
    program: ['apps/checkout/build.mjs'],
  },
  {
    name: 'signer',
    folder: 'packages/signer',
    sources: ['src', 'page', 'build.ts', 'package.json'],
    program: ['packages/signer/build.ts'],
  },
  {
    name: 'server',
    folder: 'apps/server',
    sources: ['src', 'build.mjs', 'package.json'],
    others: ['apps/checkout/src', 'packages/chains/src', 'packages/solidity/src'],
    program: ['apps/server/build.mjs'],
  },
]

/** What the parts were built from, and when; the server reads it (`apps/server/src/config/version.ts`). */
const NOTE = 'apps/server/build/built.json'

/** Builds the parts whose source is not the one their `build` folder was made from. */
export async function buildStale(root) {
  const known = new Map()
  const built = await Promise.all(parts.map((part) => buildPart(root, part, known)))
  const note = join(root, NOTE)
  if (!built.includes(true) && existsSync(note)) return
  writeFileSync(note, JSON.stringify({ commit: commitOf(root), builtAt: new Date().toISOString() }))
}

/** Builds one part, and returns whether it had to be. */
async function buildPart(root, { name, folder, sources, others = [], program: [script, ...args] }, known) {
  const stamp = join(root, folder, 'build/.stamp')
  const files = listSources(root, [...sources.map((path) => `${folder}/${path}`), ...others, ...shared], known)
  const times = hashTimes(files)
  const [builtContents, builtTimes] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : []
  if (times === builtTimes) return false
  const contents = hashContents(root, files)
  const writeStamp = () => writeFileSync(stamp, `${contents}\n${times}`)
  if (contents === builtContents) {
    writeStamp()
    return false
  }
  say(`Building the ${name}…`)
  rmSync(stamp, { force: true })
  await runQuietly({
    title: `Building the ${name}`,
    command: findNode(root),
    args: [join(root, script), ...args],
    cwd: join(root, folder),
    env: { ...process.env, NODE_ENV: 'production' },
  })
  writeStamp()
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await finish(() => buildStale(fileURLToPath(new URL('..', import.meta.url))))
}
