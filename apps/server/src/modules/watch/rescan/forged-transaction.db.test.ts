import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { readTransaction } from '@kassa/chains/bitcoin/encoding/wire.ts'
import { jsonCall, type NodeClient } from '@kassa/chains/node/client.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'

import { CENT, type OfflineShop, openOfflineShop } from '../../../testing/money-out/offline-sweeps.ts'
import { rereadTransaction } from './rescan-transaction.ts'

const program = findBitcoinProgram()
const shop = program === null ? null : await openOfflineShop(program)

describe.runIf(shop !== null)('watch.rereadTransaction on Bitcoin', () => {
  const { ctx, reader, paid } = (shop ?? {}) as OfflineShop
  afterAll(() => shop?.stop())

  const credited = async () =>
    (await sql<{ units: string }>`SELECT units FROM deposits ORDER BY id`.execute(ctx.db)).rows.map(
      ({ units }) => units,
    )

  it('X7 credits no transaction that the block which a node names does not hold', async () => {
    const [payment] = await paid(CENT)
    const { session } = reader
    const ask = (...call: Parameters<typeof jsonCall>) => session.node.call(jsonCall(...call))
    // The same to the same address, of twice as much: it needs no signature to be shown.
    const [real, tip] = [String(await ask('getrawtransaction', payment?.txId, false)), await ask('getbestblockhash')]
    const hex = real.replace(littleEndian(CENT), littleEndian(2n * CENT))
    const { txId } = readTransaction(Buffer.from(hex, 'hex'))
    const call: NodeClient['call'] = (one, options) => {
      const isAsked = one.rpc === 'json' && one.method === 'getrawtransaction' && one.params[0] === txId
      return isAsked ? Promise.resolve({ hex, blockhash: tip, confirmations: 1 }) : session.node.call(one, options)
    }
    const lying = { ...session, node: { ...session.node, call } }
    expect(await bitcoinAdapter.reader.transaction(lying, txId)).toMatchObject({ state: 'included' })
    const reread = rereadTransaction(ctx, lying, txId, async () => undefined)
    await expect(reread).rejects.toMatchObject({ name: 'RetryableRpcError', kind: 'inconsistent' })
    expect(await credited()).toEqual([String(CENT)])
  })
})

function littleEndian(units: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(units)
  return bytes.toString('hex')
}
