/** What must hold on chains of one family only. */
import { confirmationsIn, findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { Broken } from '../broken.ts'
import type { World } from '../world.ts'

/** Checks that where every deposit waits for finality, none counts that could still be taken back. @throws Broken */
export async function checkFinality({ chains, chaos, database }: World): Promise<void> {
  if (!chaos.hasFinality) return
  for (const { id, code, chain, broken } of chains) {
    const definition = findBlockchain(code)
    const rules = definition && confirmationsIn('testnet', definition)
    const { finalizedHeight } = chain.view()
    if (rules?.large !== 'finalized' || rules.largeFromUsd > 0n || finalizedHeight === null || broken) continue
    const { rows } = await database.query(
      `SELECT tx_id, height FROM deposits WHERE blockchain_id = $1 AND status IN ('applied', 'unapplied') AND height > $2`,
      [id, finalizedHeight],
    )
    const [early] = rows
    if (!early) continue
    const where = `${String(early['tx_id'])} of block ${String(early['height'])} on ${code}`
    throw new Broken('waits for finality', `${where} counts, and block ${finalizedHeight} is the newest final one`)
  }
}

/** What waited for a block and is listed no more is called gone after ten minutes, and by whoever looks for so long. */
const GONE_MS = 20 * 60_000

/** How long the program may believe that something waits which nobody will mine. */
export function longestGone({ chains }: World): number {
  return chains.some(({ family }) => family.purse.replace !== undefined) ? GONE_MS : 0
}

/** The transactions that the program believes to wait for a block, although all were mined or replaced by now. */
export async function whatIsSaidToWait({ database }: World, open: readonly number[]): Promise<string> {
  const { rows } = await database.query(
    `SELECT tx_id FROM mempool_sightings AS sighting WHERE blockchain_id = ANY ($1) AND mined_at IS NULL AND gone_at IS NULL
       AND NOT EXISTS (SELECT FROM deposits AS deposit WHERE deposit.blockchain_id = sighting.blockchain_id
         AND deposit.tx_id = sighting.tx_id AND deposit.leg = sighting.leg AND deposit.status <> 'reverted')`,
    [open],
  )
  return rows.length === 0 ? '' : `${String(rows[0]?.['tx_id'])} is said to wait`
}
