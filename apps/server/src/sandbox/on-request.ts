import { setTimeout as sleep } from 'node:timers/promises'

import type { Blockchain, BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import type { Logger } from 'pino'

import { type LocalChain, startLocalChain } from './local-chain.ts'
import { evmSandboxChain, type LocalNode, NotInstalled, type SandboxChain } from './sandbox-chain.ts'

/** What is asked of the program about a local chain that may be switched on. */
export type Switches = {
  /** Whether operators have switched the blockchain on. */
  readonly isWanted: (code: BlockchainCode) => Promise<boolean>
  /** Writes down where its node answers. */
  readonly setNode: (code: BlockchainCode, url: string) => Promise<void>
  /** Switches the blockchain off again, and says why its local chain cannot be started here. */
  readonly refuse?: (code: BlockchainCode, reason: string) => Promise<void>
  /** Whether a deposit on it waits for more blocks. */
  readonly needsBlocks: (code: BlockchainCode) => Promise<boolean>
}

export type OnRequest = {
  /** Those that run now. */
  readonly list: () => readonly SandboxChain[]
  /** The one of the EVM family that stands for a blockchain, or undefined when none does. */
  readonly find: (code: BlockchainCode) => LocalChain | undefined
  readonly stop: () => Promise<void>
}

const LOOK_EVERY_MS = 1_000

/** What a local chain is started with: the data folder, and how far the chain was read (null while it is not read). */
type StartInput = { readonly home: string; readonly readHeight: () => Promise<number | null> }
type Start = (input: StartInput) => Promise<LocalNode>

/** How each of them is started. Its code is loaded then, so that an unused chain costs nothing. */
const STARTERS: Readonly<Partial<Record<BlockchainCode, Start>>> = {
  BTC: async ({ home }) => (await import('./bitcoin/local-bitcoin.ts')).startLocalBitcoin(home),
  SOLANA: async ({ home }) => (await import('./solana/local-solana.ts')).startLocalSolana(home),
  TRX: async ({ home }) => (await import('./tron/local-tron.ts')).startLocalTron(home),
  ...Object.fromEntries(
    BLOCKCHAINS.filter(({ family, inSandbox }) => family === 'ETH_Family' && inSandbox === 'on-request').map((one) => [
      one.code,
      (input: StartInput) => startEvm(one, input),
    ]),
  ),
}

async function startEvm({ code, networks }: Blockchain, input: StartInput): Promise<LocalNode> {
  const local = await startLocalChain({ ...input, code, chainId: networks.sandbox.chainId ?? 0 })
  return { url: local.url, chain: evmSandboxChain(local), evm: local, stop: local.stop }
}

/**
 * Runs the local chains that operators switch on, and stops those they switch off; each mines an empty block a second while
 * deposits wait. What fails is tried again.
 */
export function runOnRequest(input: {
  home: string
  log: Logger
  switches: Switches
  /** How far a chain was read; null while it is not read. */
  readHeight: (code: BlockchainCode) => Promise<number | null>
}): OnRequest {
  const { home, log, switches, readHeight } = input
  const running = new Map<BlockchainCode, LocalNode>()
  /** Chains that run, but whose node is not written down yet: the database did not answer. */
  const unwritten = new Set<BlockchainCode>()
  const stopping = new AbortController()
  const look = async (code: BlockchainCode, start: Start) => {
    const node = running.get(code)
    const isWanted = await switches.isWanted(code)
    if (isWanted && !node) {
      const started = await start({ home, readHeight: () => readHeight(code) }).catch(async (error: unknown) => {
        if (error instanceof NotInstalled) await switches.refuse?.(code, error.message)
        throw error
      })
      running.set(code, started)
      unwritten.add(code)
    }
    const url = running.get(code)?.url
    if (isWanted && url !== undefined && unwritten.has(code)) {
      await switches.setNode(code, url)
      unwritten.delete(code)
      log.info({ code, url }, 'local chain is ready')
    }
    if (!isWanted && node) {
      running.delete(code)
      await node.stop()
      log.info({ code }, 'local chain has stopped')
    }
    if (isWanted && node && (await switches.needsBlocks(code))) await node.chain.mine(1)
  }
  const loop = async () => {
    while (!stopping.signal.aborted) {
      for (const [code, start] of Object.entries(STARTERS)) {
        await look(code as BlockchainCode, start).catch((error: unknown) =>
          log.warn({ err: error, code }, 'could not look after the local chain'),
        )
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const looping = loop()
  return {
    list: () => [...running.values()].map(({ chain }) => chain),
    find: (code) => running.get(code)?.evm,
    stop: async () => {
      stopping.abort()
      await looping
      await Promise.all([...running.values()].map((node) => node.stop()))
    },
  }
}
