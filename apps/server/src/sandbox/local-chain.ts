import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { type Anvil, anvilPath, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'

import { orderedChainState, writeChainState } from './chain-state.ts'
import { callNode } from './node-call.ts'
import { payerAddress } from './payer-account.ts'
import { commandOf, stopProcess } from '../process/processes.ts'
import { StartError } from '../process/start-error.ts'

/** One local chain. Everything that adds blocks goes through `change`. */
export type LocalChain = {
  readonly code: BlockchainCode
  readonly chainId: number
  /** Where its node answers JSON-RPC. */
  readonly url: string
  /** True when the node of a killed Kassa was still running and was taken over. */
  readonly reused: boolean
  /**
   * Runs the work alone on this chain and resolves once the blocks it made are on disk: what it returns survives
   * `kill -9` of every process.
   * @throws RATE_LIMITED when too many changes wait already
   */
  readonly change: <T>(work: () => Promise<T>) => Promise<T>
  /** Writes the state of the chain to disk. */
  readonly persist: () => Promise<void>
  /** Writes the chain to disk, then ends its node. */
  readonly stop: () => Promise<void>
}

/**
 * As many blocks back as the chain's accounts are remembered: the deepest reorganisation is 64, and a block that cannot be
 * traced any more when it is read hides internal transfers. Each of them makes writing the file slower.
 */
const nodeFlags = ['--prune-history', '70']

/** Blocks that a watcher has not read yet, of those that can still be traced: a change waits beyond, but not without end. */
const MOST_UNREAD = 40
const LONGEST_WAIT_MS = 10_000
const LOOK_EVERY_MS = 100

/** Changes that wait at the same time: those beyond would wait longer than anybody does. */
const MOST_CHANGES = 48

/**
 * Starts the local chain that stands for a blockchain, from its file below KASSA_HOME; a chain without one is created
 * with test tokens and a funded payer. Kassa writes the file itself: the node would do so once a second at best.
 */
export async function startLocalChain(input: {
  home: string
  code: BlockchainCode
  chainId: number
  /** How far the chain was read; null while it is not read. */
  readHeight: () => Promise<number | null>
  /** Called when its process runs, long before it serves. */
  onSpawn?: () => void
}): Promise<LocalChain> {
  const { code, chainId, onSpawn } = input
  const folder = join(input.home, 'chains')
  mkdirSync(folder, { recursive: true })
  const stateFile = join(folder, `${code}.json`)
  const pidFile = join(folder, `${code}.pid`)
  const isComplete = existsSync(stateFile)
  const leftover = await takeOver(pidFile, chainId, isComplete)
  if (leftover) onSpawn?.()
  const logPath = join(folder, `${code}.log`)
  const node = leftover ?? (await launch({ chainId, stateFile, logPath, ...(onSpawn && { onSpawn }) }))
  writeFileSync(pidFile, `${node.pid}\n${node.url}\n`)
  // One that was started from the file knows nothing more than the file does.
  if (leftover || !isComplete) await writeChainState(node.url, stateFile)

  const enqueue = makeQueue()
  const persist = (): Promise<void> => writeChainState(node.url, stateFile)
  let changing = 0
  let saving: Promise<void> | undefined
  // Queued behind the changes that wait already: one file is written for all of them.
  const save = (): Promise<void> =>
    (saving ??= enqueue(() => {
      saving = undefined
      return persist()
    }))
  return {
    code,
    chainId,
    url: node.url,
    reused: leftover !== undefined,
    persist: () => enqueue(persist),
    change: async (work) => {
      if (changing >= MOST_CHANGES) return fail('RATE_LIMITED', { values: { seconds: 5 }, retryAfter: 5 })
      changing += 1
      try {
        return await enqueue(async () => {
          await untilRead(node.url, input.readHeight)
          return work()
        })
      } finally {
        changing -= 1
        await save()
      }
    },
    stop: () =>
      enqueue(async () => {
        await writeChainState(node.url, stateFile)
        await node.stop()
        rmSync(pidFile, { force: true })
      }),
  }
}

/** Waits for a watcher that is behind: blocks that cannot be traced any more when it reads them hide internal transfers. */
async function untilRead(url: string, readHeight: () => Promise<number | null>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < deadline) {
    const read = await readHeight()
    if (read === null || Number(await callNode<string>(url, 'eth_blockNumber')) - read < MOST_UNREAD) return
    await sleep(LOOK_EVERY_MS)
  }
}

async function launch(input: {
  chainId: number
  stateFile: string
  logPath: string
  onSpawn?: () => void
}): Promise<Anvil> {
  const { stateFile, ...options } = input
  if (!isAnvilHere()) {
    throw new StartError(
      'The sandbox needs Linux x64, or the program anvil on PATH (https://getfoundry.sh). Or set KASSA_NETWORK=testnet.',
    )
  }
  if (existsSync(stateFile)) {
    // Only the node that is started reads it: it need not outlive a power cut.
    const ordered = `${stateFile}.ordered`
    writeFileSync(ordered, orderedChainState(stateFile), { mode: 0o600 })
    try {
      return await startAnvil({ ...options, args: [...nodeFlags, '--load-state', ordered] })
    } finally {
      rmSync(ordered)
    }
  }
  const node = await startAnvil({ ...options, args: nodeFlags })
  const { seedChain } = await import('./chain-genesis.ts')
  await seedChain(node.url, payerAddress)
  return node
}

/** The package's own program is not run for that: it takes a twentieth of a second, and everything else waits. */
function isAnvilHere(): boolean {
  const program = anvilPath()
  if (isAbsolute(program)) return existsSync(program)
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** A node that outlived its Kassa may know blocks its file does not; without a file it was never completely set up. */
async function takeOver(pidFile: string, chainId: number, isComplete: boolean): Promise<Anvil | undefined> {
  if (!existsSync(pidFile)) return undefined
  const [pidText = '', url = ''] = readFileSync(pidFile, 'utf8').split('\n')
  const pid = Number(pidText)
  const port = url.split(':').at(-1)
  if (!Number.isInteger(pid) || !commandOf(pid).includes(`--port ${port} --chain-id ${chainId} `)) return undefined
  const stop = (): Promise<void> => stopProcess(pid, 'SIGTERM', 5_000)
  const answers = await callNode<string>(url, 'eth_chainId').catch(() => '')
  if (isComplete && Number(answers) === chainId) return { pid, url, stop }
  await stop()
  return undefined
}

/** One piece of work at a time, in the order of the calls; a failed one does not hold up the next. */
function makeQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}
