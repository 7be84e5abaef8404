import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChainSession } from '../../adapter.ts'
import { bitcoinAdapter } from '../../bitcoin/adapter.ts'
import { chainIn, sessionAlone } from '../../chain.ts'
import { connect, jsonCall } from '../../node/client.ts'
import { type LocalBitcoin, openLocalBitcoin } from './local-bitcoin.ts'
import { findBitcoinProgram, startBitcoinNode } from './program.ts'

const { reader, addresses } = bitcoinAdapter
const BTC = 2
const KEY = Buffer.from('04a93b4a057059d66b91ca3117193383d656e304dee37739479da0f2b45213b6', 'hex')
const definition = findBlockchain('BTC')
const program = findBitcoinProgram()
const PROGRAM = join(import.meta.dirname, 'program.ts')

/** Without a program there is nothing to hold the adapter against: `npm test` says what it left out. */
describe.runIf(program !== null)('the Bitcoin adapter and a real node', () => {
  let folder: string
  let local: LocalBitcoin
  let session: ChainSession
  const chain = chainIn('sandbox', definition ?? never())
  const ours = 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk'
  const script = addresses.key(chain, ours)
  const filter = {
    assets: new Set([BTC]),
    matches: (key: Uint8Array) => Buffer.from(key).equals(Buffer.from(script)),
  }
  const open = async () => {
    local = await openLocalBitcoin(program ?? never(), folder, KEY)
    session = sessionAlone(chain, connect({ id: 1, url: local.url }))
  }
  const newest = async () => {
    const height = await local.height()
    return (await reader.blocks(session, { from: height, to: height + 3 }, filter)).flatMap(
      ({ transfers }) => transfers,
    )
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kassa-bitcoin-'))
    await open()
  })
  afterAll(async () => {
    await local.stop()
    rmSync(folder, { recursive: true })
  })

  it('is known by its block 0, and by no other network', async () => {
    expect(await reader.identify(session)).toMatchObject({ isExpected: true, completeness: 1 })
    const elsewhere = sessionAlone(chainIn('testnet', definition ?? never()), session.node)
    expect(await reader.identify(elsewhere)).toMatchObject({ isExpected: false })
    await expect(reader.heads(elsewhere)).rejects.toThrow('another network')
  })

  it('shows a payment waiting, then in a block with its exact units, and again in another after a reorganisation', async () => {
    const sent = (await local.send({ to: script, units: 12_345_678n })) ?? never()
    expect(await reader.transaction(session, sent.txId)).toEqual({ state: 'pending' })
    expect(await newest()).toEqual([])
    await local.mine(1)
    const [found, ...more] = await newest()
    expect(more).toEqual([])
    const payer = addresses.format(chain, local.payer)
    expect(found).toMatchObject({ txId: sent.txId, leg: 'vout:0', units: 12_345_678n, to: ours, senders: [payer] })
    expect(await reader.transaction(session, sent.txId)).toMatchObject({ state: 'included', block: found?.block })
    await local.reorganize(1)
    expect(await newest()).toEqual([])
    expect(await reader.transaction(session, sent.txId)).toEqual({ state: 'pending' })
    await local.mine(1)
    const [again] = await newest()
    expect(again).toMatchObject({ txId: sent.txId, leg: found?.leg, units: found?.units })
    expect(again?.block.hash).not.toBe(found?.block.hash)
    expect((await reader.heads(session)).latest).toEqual(again?.block)
  })

  it('forgets a transaction that another one replaces', async () => {
    const first = (await local.send({ to: script, units: 20_000n })) ?? never()
    const second = (await local.send({ to: local.payer, units: 20_000n, fee: 9_000n, replaces: first })) ?? never()
    expect(await reader.transaction(session, first.txId)).toEqual({ state: 'unknown' })
    expect(await reader.transaction(session, second.txId)).toEqual({ state: 'pending' })
    await local.mine(1)
    expect(await newest()).toEqual([])
  })

  it('says of new coins how deep they must lie', async () => {
    await local.mineTo(script)
    expect(await newest()).toMatchObject([{ to: ours, senders: [], minConfirmations: 100 }])
  })

  it('keeps its chain when its process is killed, and leaves none behind that is not found again', async () => {
    const height = await local.mine(1)
    process.kill(local.pid, 'SIGKILL')
    await local.stop()
    await open()
    expect(await local.height()).toBe(height)
    const former = local.pid
    await open()
    expect(() => process.kill(former, 0)).toThrow('ESRCH')
    expect(await local.height()).toBe(height)
  })

  it('stops a node that was still starting when who started it was killed', async () => {
    const own = mkdtempSync(join(tmpdir(), 'kassa-bitcoin-'))
    const code = `(await import(${JSON.stringify(PROGRAM)})).startBitcoinNode(${JSON.stringify(program)}, ${JSON.stringify(own)})`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' })
    await vi.waitFor(() => expect(existsSync(join(own, 'node.log'))).toBe(true), { timeout: 30_000, interval: 1 })
    // The node is there, and far from ready.
    await pause(50)
    starter.kill('SIGKILL')
    const node = await startBitcoinNode(program ?? never(), own)
    expect(await node.client.call(jsonCall('getblockcount'))).toBe(0)
    await node.stop()
    rmSync(own, { recursive: true })
  })
})

function never(): never {
  throw new Error('This cannot be')
}
