import { setTimeout as sleep } from 'node:timers/promises'

import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import type { Logger } from 'pino'

import { type LocalNode, NotInstalled, type SandboxChain } from './sandbox-chain.ts'

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
  readonly stop: () => Promise<void>
}

const LOOK_EVERY_MS = 1_000

/** How each of them is started. Its code is loaded then: it costs nothing until somebody wants it. */
const STARTERS: Readonly<Partial<Record<BlockchainCode, (home: string) => Promise<LocalNode>>>> = {
  BTC: async (home) => (await import('./bitcoin/local-bitcoin.ts')).startLocalBitcoin(home),
  TRX: async (home) => (await import('./tron/local-tron.ts')).startLocalTron(home),
}

/**
 * Runs the local chains that operators switch on, and stops those they switch off; each mines an empty block a second while
 * deposits wait. What fails is tried again.
 */
export function runOnRequest({ home, log, switches }: { home: string; log: Logger; switches: Switches }): OnRequest {
  const running = new Map<BlockchainCode, LocalNode>()
  const stopping = new AbortController()
  const look = async (code: BlockchainCode, start: (home: string) => Promise<LocalNode>) => {
    const node = running.get(code)
    const isWanted = await switches.isWanted(code)
    if (isWanted && !node) {
      const started = await start(home).catch(async (error: unknown) => {
        if (error instanceof NotInstalled) await switches.refuse?.(code, error.message)
        throw error
      })
      running.set(code, started)
      await switches.setNode(code, started.url)
      log.info({ code, url: started.url }, 'local chain is ready')
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
    stop: async () => {
      stopping.abort()
      await looping
      await Promise.all([...running.values()].map((node) => node.stop()))
    },
  }
}
