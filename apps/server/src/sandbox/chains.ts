import { setTimeout as sleep } from 'node:timers/promises'

import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { Logger } from 'pino'

import { type LocalChain, startLocalChain } from './local-chain.ts'
import { callNode } from './node-call.ts'
import { runOnRequest, type Switches } from './on-request.ts'
import { evmSandboxChain, type SandboxChain } from './sandbox-chain.ts'

export type SandboxChains = {
  /** Where each chain's node answers. */
  readonly nodes: { readonly ETH: string; readonly BASE: string }
  readonly list: readonly LocalChain[]
  /** Every local chain that runs now, of whatever family. */
  readonly running: () => readonly SandboxChain[]
  /** The local chain of the EVM family that stands for a blockchain, or undefined when none does. */
  readonly find: (code: BlockchainCode) => LocalChain | undefined
  /** Writes the state of the chain to disk. */
  readonly persist: (code: BlockchainCode) => Promise<void>
  readonly stop: () => Promise<void>
}

type ReadHeight = (code: BlockchainCode) => Promise<number | null>
type NeedsBlocks = (code: BlockchainCode) => Promise<boolean>

const blockEveryMs = 1_000

/**
 * Starts the local test chains. They mine a block for each transaction, and one empty block a second while
 * `needsBlocks` says that deposits wait for confirmations; otherwise they stand still.
 * @throws Error with one sentence for the operator.
 */
export async function startChains(input: {
  home: string
  log: Logger
  needsBlocks: NeedsBlocks
  /** How far a chain was read; absent where it is not read. */
  readHeight?: ReadHeight
  /** Local chains that operators switch on; none where this is absent. */
  switches?: Omit<Switches, 'needsBlocks'>
  /** Called when the processes of all that start always run, long before they serve. */
  onSpawn?: () => void
}): Promise<SandboxChains> {
  const { home, log, needsBlocks, readHeight = async () => null, switches, onSpawn } = input
  const always = BLOCKCHAINS.filter(({ inSandbox }) => inSandbox === 'always')
  let spawned = 0
  const list = await startAll(
    always.map(({ code, networks }) => ({
      home,
      code,
      chainId: networks.sandbox.chainId ?? 0,
      readHeight: () => readHeight(code),
      onSpawn: () => {
        spawned += 1
        if (spawned === always.length) onSpawn?.()
      },
    })),
  )
  for (const { code, url, reused } of list) log.info({ code, url, reused }, 'local chain is ready')
  const stopping = new AbortController()
  const miners = list.map((chain) => mineWhileNeeded({ chain, log, needsBlocks, signal: stopping.signal }))
  const onRequest = switches && runOnRequest({ home, log, readHeight, switches: { ...switches, needsBlocks } })
  const find = (code: BlockchainCode): LocalChain | undefined =>
    list.find((chain) => chain.code === code) ?? onRequest?.find(code)
  return {
    running: () => [...list.map(evmSandboxChain), ...(onRequest?.list() ?? [])],
    nodes: { ETH: find('ETH')?.url ?? '', BASE: find('BASE')?.url ?? '' },
    list,
    find,
    persist: async (code) => find(code)?.persist(),
    stop: async () => {
      stopping.abort()
      await Promise.all([...miners, onRequest?.stop()])
      await Promise.all(list.map((chain) => chain.stop()))
      log.info('local chains have stopped')
    },
  }
}

/** All or none: one that fails takes the others down again. */
async function startAll(inputs: readonly Parameters<typeof startLocalChain>[0][]): Promise<readonly LocalChain[]> {
  const results = await Promise.allSettled(inputs.map(startLocalChain))
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = results.find((result) => result.status === 'rejected')
  if (!failed) return started
  await Promise.all(started.map((chain) => chain.stop()))
  throw failed.reason
}

async function mineWhileNeeded(input: {
  chain: LocalChain
  log: Logger
  needsBlocks: NeedsBlocks
  signal: AbortSignal
}): Promise<void> {
  const { chain, log, needsBlocks, signal } = input
  while (!signal.aborted) {
    try {
      if (await needsBlocks(chain.code)) await chain.change(() => callNode(chain.url, 'anvil_mine', '0x1'))
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, code: chain.code }, 'could not mine on the local chain')
    }
    await sleep(blockEveryMs, undefined, { signal }).catch(() => undefined)
  }
}
