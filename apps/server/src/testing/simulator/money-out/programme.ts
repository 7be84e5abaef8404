import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'
import type { CampaignBody } from '@kassa/contract/referral/inputs.ts'
import { sql } from 'kysely'

import { type Context, inTransaction, type PromoterFacts } from '../../../context.ts'
import { createCampaign } from '../../../modules/referral/campaigns/service.ts'
import { insertCode } from '../../../modules/referral/page/code-store.ts'
import { type WithdrawalInput, withdrawRewards } from '../../../modules/referral/page/withdraw.ts'
import { authenticateReferrer, linkReferee } from '../../../modules/referral/referrers/service.ts'
import { Broken } from '../broken.ts'
import type { World } from '../world.ts'

const AMOUNTS = ['10', '12.5', '40'] as const
const CODE_MS = 600_000

/** No clock of a process is that far behind: what it logs lies after the campaigns began to count. */
const COUNTED_BEFORE_MS = 2 * 86_400_000

/** One promoter brought every customer of a shop; two campaigns count their payments, one of them with a budget. */
export async function openProgramme(
  ctx: Context,
  { projectId, customers }: { readonly projectId: number; readonly customers: readonly string[] },
): Promise<void> {
  const terms = {
    currencyCode: 'USD',
    campaignTypePerCustomer: 'forever',
    eventKeys: [KASSA_PAYMENT_EVENT],
  } satisfies CampaignBody
  const earlier = { ...ctx, now: () => new Date(ctx.now().getTime() - COUNTED_BEFORE_MS) }
  await createCampaign(earlier, projectId, { ...terms, name: 'Flat', rewardType: 'flat_fee', rewardValue: '15' })
  const share = {
    name: 'Share',
    rewardType: 'percentage',
    rewardValue: '5',
    rewardCap: '20',
    budget: '100',
  } satisfies CampaignBody
  await createCampaign(earlier, projectId, { ...terms, ...share })
  const email = `promoter-${projectId}@example.com`
  const { referrer } = await authenticateReferrer(ctx, projectId, { email, referenceID: 'promoter' })
  for (const referenceID of customers) {
    const person = { email: `${referenceID}@example.com`, referenceID, referrerCode: referrer.code }
    await linkReferee(ctx, projectId, person)
  }
}

/** A promoter withdraws some of what is ready, in a coin, as their page does once it has checked the mailed code. */
export async function withdraw(
  world: World,
  ctx: Context,
  where: Pick<WithdrawalInput, 'currencyCode' | 'blockchainCode' | 'toAddress'>,
): Promise<void> {
  const { rows } = await sql<{ token_id: bigint; referrer_id: number; project_id: number }>`
    SELECT token.id AS token_id, referrer_id, project_id FROM referral_tokens AS token
    JOIN referrers AS promoter ON promoter.id = referrer_id ORDER BY token.id`.execute(ctx.db)
  const token = world.random.any(rows)
  if (!token) return
  const { token_id: tokenId, referrer_id: referrerId, project_id: projectId } = token
  const promoter: PromoterFacts = { tokenId, referrerId, projectId }
  const mine: Context = { ...ctx, caller: { kind: 'promoter', ...promoter } }
  const expiresAt = new Date(ctx.now().getTime() + CODE_MS)
  const code = { referrerId, tokenId, mailbox: 'promoter@people.example', expiresAt }
  const codeId = await inTransaction(mine, (tx) => insertCode(tx, code))
  const input = { amount: world.random.pick(AMOUNTS), ...where }
  // A page that had no answer asks again: its code is used up.
  const once = () => withdrawRewards(mine, promoter, { input, codeId })
  await once()
  if (world.random.chance(0.3)) await once()
}

/** The sales that are final and not counted yet. */
export async function whatIsUncounted({ database, treasury }: World): Promise<string> {
  if (!treasury) return ''
  const { rows } = await database.query(`SELECT id::text AS id FROM event_logs WHERE status = 'pending' ORDER BY id`)
  return rows.length === 0 ? '' : `log ${rows.map(({ id }) => String(id as string)).join(', ')} is not counted`
}

/** Checks that every filled payment of somebody whom a promoter brought was logged once, and is counted. @throws Broken */
export async function checkRewards({ database, treasury }: World): Promise<void> {
  if (!treasury) return
  const { rows } = await database.query(
    `SELECT payment.id::text AS id, count(log.id)::int AS logs, bool_and(log.status = 'processed') AS counted,
       count(reward.id) FILTER (WHERE campaign.name = 'Flat')::int AS rewards
     FROM payments AS payment
     JOIN customers AS customer ON customer.id = payment.customer_id
     JOIN referrers AS member ON member.project_id = payment.project_id AND member.reference_id = customer.customer_id
       AND member.referred_by IS NOT NULL
     LEFT JOIN event_logs AS log ON log.payment_id = payment.id
     LEFT JOIN rewards AS reward ON reward.set_log_id = log.id
     LEFT JOIN campaigns AS campaign ON campaign.id = reward.campaign_id
     WHERE payment.status IN ('FILLED', 'OVER_FILLED')
     GROUP BY payment.id
     HAVING count(DISTINCT log.id) <> 1 OR NOT bool_and(log.status = 'processed')
       OR count(reward.id) FILTER (WHERE campaign.name = 'Flat') <> 1`,
  )
  const [wrong] = rows
  if (wrong) throw new Broken('rewarded once', `payment ${JSON.stringify(wrong)}`)
}
