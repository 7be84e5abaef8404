/** Addresses compared with the chain, page by page, beside a node that is asked for their balances and nothing else. */
import { openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'

import { asSystem } from '../../apps/server/src/context.ts'
import { findBlockchain, listAssets } from '../../apps/server/src/modules/blockchains/chains/service.ts'
import { setSandboxNode } from '../../apps/server/src/modules/blockchains/nodes/service.ts'
import { comparePages, openComparison } from '../../apps/server/src/modules/reconciliation/comparison.ts'
import { testReader } from '../../apps/server/src/testing/test-follower.ts'
import type { Cleanup, Figure, Measurement, Options } from '../harness/figure.ts'
import { openProgram } from '../harness/program.ts'
import { secondsOf } from '../harness/seconds.ts'

const ADDRESSES = 10_000
/** Calls of one request, as the program asks. */
const BATCH = 100

export const comparison: Measurement = { name: 'comparison', run }

async function run(cleanup: Cleanup, { isFull }: Options): Promise<readonly Figure[]> {
  const count = isFull ? 10 * ADDRESSES : ADDRESSES
  const anvil = await openAnvilChain('ETH')
  cleanup(() => anvil.stop())
  const { app, pool } = await openProgram(cleanup)
  const ctx = asSystem(app.ctx)
  await pool.query(`
    WITH project AS (INSERT INTO projects (name) VALUES ('Bench') RETURNING id),
    wallet AS (
      INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
      VALUES ('Bench', 'deposit_wallet', 'eoa', 'xpub') RETURNING id
    ), customer AS (
      INSERT INTO customers (project_id, customer_id) SELECT id, 'payer-' || n FROM project, generate_series(1, ${count}) AS n
      RETURNING id, project_id
    )
    INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
    SELECT wallet.id, 1, decode('cc' || lpad(to_hex(customer.id), 38, '0'), 'hex'), '0xcc' || lpad(to_hex(customer.id), 38, '0'),
      customer.id, 'm/' || customer.id, 'assigned', customer.id, customer.project_id FROM wallet, customer`)
  await pool.query('VACUUM ANALYZE')
  await setSandboxNode(ctx, 'ETH', anvil.url)
  await anvil.mine(3)
  await (await testReader(ctx, 'ETH')).catchUp()
  const row = await findBlockchain(ctx, 'ETH')
  const opened = row && (await openComparison(ctx, row, await listAssets(ctx)))
  if (!opened) throw new Error('There is no node')
  let compared = 0
  const seconds = await secondsOf(async () => {
    for await (const { balances } of comparePages(ctx, opened, 'all')) compared += balances.length
  })
  // One call for each address and asset, all of them empty, in requests of the same size.
  const calls = Math.max(compared, count)
  const asked = await secondsOf(() => askBalances(anvil.url, calls))
  return [
    {
      name: `${count} addresses compared with the chain, every asset`,
      value: count / seconds,
      unit: '/s',
      limit: { name: `${calls} balances asked of the node`, value: count / asked },
    },
  ]
}

async function askBalances(url: string, calls: number): Promise<void> {
  const address = `0x${'ab'.repeat(20)}`
  for (let at = 0; at < calls; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, calls - at) }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBalance',
      params: [address, 'latest'],
    }))
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    })
    await answer.text()
  }
}
