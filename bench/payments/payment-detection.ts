/** From the block that holds a transfer to the committed `payment.detected`, on a local chain. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import { LIVE_CHANNEL } from '../../apps/server/src/events/publisher.ts'
import type { LocalChain } from '../../apps/server/src/sandbox/local-chain.ts'
import { payErc20 } from '../../apps/server/src/sandbox/payer.ts'
import { until } from '../../e2e/until.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { type Setup, openSetup } from '../harness/setup.ts'
import { type Pool, roundTripsAndCommits } from '../harness/limits.ts'
import { quantile } from '../harness/quantile.ts'

const PAYMENTS = 100

/** Addresses of other customers that are watched for as well. */
const WATCHED = 1_000_000

/** Transfers come at any moment between two looks of the watcher. */
const LONGEST_PAUSE_MS = 300

export const paymentDetection: Measurement = { name: 'detection', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const setup = await openSetup(cleanup)
  await fillAddresses(setup.pool)
  const chain = localChain(setup.instance.home)
  const mined = await blockTimes(chain, cleanup)
  const detected = await detectionTimes(setup, cleanup)
  const before = await roundTripsAndCommits(setup.pool, chain.url, PAYMENTS)
  const heights = new Map<string, number>()
  for (const { reference, address, units } of await pinnedPayments(setup)) {
    const { height } = await payErc20(chain, { token: SANDBOX_TOKENS.usdc, to: address, units })
    heights.set(reference, height)
    await pause(Math.random() * LONGEST_PAUSE_MS)
  }
  await until(
    'every payment to be detected',
    () => detected.size,
    (count) => count >= heights.size,
  )
  const limits = [...before, ...(await roundTripsAndCommits(setup.pool, chain.url, PAYMENTS))]
  const delays = [...heights].map(
    ([reference, height]) => (detected.get(reference) ?? Number.NaN) - (mined.get(height) ?? Number.NaN),
  )
  return [0.5, 0.99].map((share) => ({
    name: `block mined → payment.detected, ${WATCHED.toLocaleString('en-US')} addresses, p${share * 100}`,
    value: quantile(delays, share),
    unit: 'ms',
    limit: { name: `one RPC and one commit, p${share * 100}`, value: quantile(limits, share) },
  }))
}

/** Addresses as years of customers leave them: they are looked for in each block. */
async function fillAddresses(pool: Pool): Promise<void> {
  const hex = "substr(md5(n::text) || md5('more' || n), 1, 40)"
  await pool.query(`
    INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path)
    SELECT (SELECT min(id) FROM wallets), 1, decode(${hex}, 'hex'), '0x' || ${hex}, 1000000 + n, 'm/44''/60''/0''/0/' || 1000000 + n
    FROM generate_series(1, ${WATCHED}) AS n`)
  await pool.query('VACUUM ANALYZE addresses')
}

/** The running node of an instance; it belongs to the instance, which alone writes it to disk. */
function localChain(home: string): LocalChain {
  const [, url = ''] = readFileSync(join(home, 'chains/ETH.pid'), 'utf8').split('\n')
  const done = async () => undefined
  return { code: 'ETH', chainId: 1, url, reused: true, change: (work) => work(), persist: done, stop: done }
}

/** When the node announced each block, by height (eth_subscribe newHeads). */
async function blockTimes({ url }: LocalChain, cleanup: Cleanup): Promise<ReadonlyMap<number, number>> {
  const times = new Map<number, number>()
  const socket = new WebSocket(url.replace('http', 'ws'))
  cleanup(() => socket.close())
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.addEventListener('message', ({ data }) => {
    const now = performance.now()
    const { params } = JSON.parse(String(data)) as { params?: { result: { number: string } } }
    if (params) times.set(Number(params.result.number), now)
  })
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  return times
}

/** When the database announced each detection, by the payment's reference: right after its commit (0025). */
async function detectionTimes({ pool }: Setup, cleanup: Cleanup): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  const client = await pool.connect()
  cleanup(() => client.release())
  client.on('notification', ({ payload = '{}' }) => {
    const now = performance.now()
    const { name, referenceId } = JSON.parse(payload) as { name?: string; referenceId?: string }
    if (name === 'payment.detected' && referenceId !== undefined) times.set(referenceId, now)
  })
  await client.query(`LISTEN ${LIVE_CHANNEL}`)
  return times
}

/** Payments of as many customers, each with its coin chosen and its address given. */
async function pinnedPayments({ shop, pool }: Setup): Promise<{ reference: string; address: string; units: bigint }[]> {
  for (let number = 1; number <= PAYMENTS; number += 1) {
    const customer = { customerID: `payer-${number}`, customerEmail: `payer-${number}@mail.example` }
    const choice = { blockchainCode: 'ETH', currencyCode: 'USDC' }
    await shop.merchant(paymentsRoutes.createPayment, { body: { ...customer, ...choice, amountInUSD: '49' } })
    await pause(20)
  }
  const { rows } = await pool.query<{ reference: string; address: string; units: string }>(`
    SELECT reference_id AS reference, address, quotes.due_units AS units
    FROM payments JOIN quotes ON quotes.id = payments.quote_id JOIN addresses ON addresses.id = quotes.address_id`)
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}
