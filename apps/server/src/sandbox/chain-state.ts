import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { callNode } from './node-call.ts'

/**
 * Writes the chain as it stands to the file: blocks, transactions, receipts, accounts, and the accounts as of the last
 * blocks, without which a restarted node neither traces a block that no watcher had read yet nor reorganises. When it
 * returns, a power cut loses nothing: the text is on disk under a temporary name before it takes the old one's place.
 * Source: `anvil_dumpState`, which answers gzipped JSON in hex.
 */
export async function writeChainState(url: string, file: string): Promise<void> {
  const dump = await callNode<string>(url, 'anvil_dumpState', true)
  const json = await promisify(gunzip)(Buffer.from(dump.slice(2), 'hex'))
  const unfinished = `${file}.unfinished`
  const handle = openSync(unfinished, 'w', 0o600)
  try {
    writeFileSync(handle, json)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(unfinished, file)
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
