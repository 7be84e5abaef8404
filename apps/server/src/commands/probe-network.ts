/**
 * `npm run probe-network -- --chain TRX --url https://… [--blocks 12] [--out samples]`: reads real blocks of a node through the
 * adapter of its chain, holds them against the rules, and writes what the node answered as a sample that tests can read again.
 * It needs no database, and changes nothing. Ends with 0 when every rule holds.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { adapterOf } from '@kassa/chains/adapters.ts'
import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { probe } from '@kassa/chains/probe/probe.ts'
import { packSample, recordingFetch } from '@kassa/chains/probe/samples.ts'
import type { Blockchain, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

const USAGE = 'Use: npm run probe-network -- --chain TRX --url https://node.example [--blocks 12] [--out samples]'

const USUAL_BLOCKS = 12
const MOST_BLOCKS = 1_000

/** In this order: a node is of the first network that it says it serves. */
const MODES: readonly NetworkMode[] = ['mainnet', 'testnet', 'sandbox']

process.exitCode = await probeNetwork()

async function probeNetwork(): Promise<number> {
  const asked = readArguments()
  if (!asked) {
    console.error(USAGE)
    return 2
  }
  const { blockchain, url, blocks, out } = asked
  const adapter = adapterOf(blockchain.family)
  if (!adapter) throw new Error(`${blockchain.code} has no adapter`)
  const { fetch, sample } = recordingFetch(url)
  const node = connect({ id: 0, url, fetch })
  const mode = await modeOf(blockchain, url)
  if (mode === null) {
    console.error(`The node does not answer as one of ${blockchain.name} does.`)
    return 1
  }
  const findings = await probe(adapter, sessionAlone(chainIn(mode, blockchain), node), blocks)
  for (const { rule, holds, says } of findings) console.log(`${holds ? '✓' : '✗'} ${rule.padEnd(14)} ${says}`)
  const file = join(out, `${blockchain.code.toLowerCase()}-${mode}-${Date.now()}.sample.gz`)
  await mkdir(out, { recursive: true })
  await writeFile(file, packSample(sample))
  console.log(`${sample.length} answers are in ${file}.`)
  return findings.every(({ holds }) => holds) ? 0 : 1
}

/** Which network the node says it serves; null when none, or when it does not answer. */
async function modeOf(blockchain: Blockchain, url: string): Promise<NetworkMode | null> {
  const adapter = adapterOf(blockchain.family)
  for (const mode of MODES) {
    const session = sessionAlone(chainIn(mode, blockchain), connect({ id: 0, url }))
    const identity = await adapter?.reader.identify(session).catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error))
      return null
    })
    if (identity === null) return null
    if (identity?.isExpected === true) return mode
  }
  return null
}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    const { chain, url, blocks, out } = parseArgs({
      options: { chain: text, url: text, blocks: text, out: text },
    }).values
    const blockchain = chain === undefined ? undefined : findBlockchain(chain)
    const count = Number(blocks ?? USUAL_BLOCKS)
    const isCount = Number.isSafeInteger(count) && count > 0 && count <= MOST_BLOCKS
    if (!blockchain || url === undefined || !URL.canParse(url) || !isCount) return null
    return { blockchain, url, blocks: count, out: out ?? 'samples' }
  } catch {
    return null
  }
}
