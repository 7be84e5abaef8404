import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { callNode } from './node-call.ts'

/**
 * Writes the state of the chain to the file: blocks, transactions, receipts, accounts, and the accounts as of the last
 * blocks, without which a restarted node neither traces a block that no watcher had read yet nor reorganises. When it
 * returns, a power cut loses nothing: the text is on disk under a temporary name before it takes the old one's place.
 * Source: `anvil_dumpState`, which answers gzipped JSON in hex.
 */
export async function writeChainState(url: string, file: string): Promise<void> {
  const dump = await callNode<string>(url, 'anvil_dumpState', true)
  const json = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))
  replaceFile(file, json)
}

/** What is read of the file here: blocks, and the accounts after a block by its hash. */
type ChainState = {
  readonly blocks: readonly { readonly header: { readonly number: string; readonly parentHash: string } }[]
  readonly historical_states: readonly (readonly [hash: string, accounts: unknown])[] | null
}

/**
 * The chain of the file, with the accounts as of the last blocks in the order of their blocks. The node writes them in none, and one that has
 * read them forgets those it read first as blocks are added: it would soon miss some that it needs.
 */
export function orderedChainState(file: string): string {
  const state = JSON.parse(readFileSync(file, 'utf8')) as ChainState
  const children = new Map(state.blocks.map(({ header }) => [header.parentHash, Number(header.number)]))
  const after = ([hash]: readonly [string, unknown]): number => children.get(hash) ?? Infinity
  const ordered = state.historical_states?.toSorted((a, b) => (after(a) < after(b) ? -1 : 1)) ?? null
  return JSON.stringify({ ...state, historical_states: ordered })
}

/** When it returns, the text is on disk under the file's name, or the old one still is. */
function replaceFile(file: string, text: Buffer | string): void {
  const unfinished = `${file}.unfinished`
  const handle = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(unfinished, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
