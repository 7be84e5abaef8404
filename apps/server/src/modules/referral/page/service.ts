/** The page of a promoter (api.md U): what they earned, what became of it, and how to withdraw it. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { OwnReward, OwnWithdrawalRow, PromoterPage } from '@kassa/contract/referral/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Context, PromoterFacts } from '../../../context.ts'
import type { PageInput } from '../../../paging/paging.ts'
import { maskEmail } from '../../auth/passwords/service.ts'
import { getProject, hasOwnLogo } from '../../projects/service.ts'
import { siteUrl } from '../../settings/service.ts'
import { payableAssets } from '../../withdrawals/payouts/service.ts'
import { activeCampaignsOf } from '../campaigns/service.ts'
import { findReferralPayout, listReferralPayouts } from '../payouts/service.ts'
import { getReferrer } from '../referrers/service.ts'
import { listRewards, type PageOf, showBalances } from '../rewards/lists.ts'
import { frameOrigin, shareLink, tokenEnd } from './rules.ts'
import { findToken, updateTokenEnd } from './store.ts'
import { campaignOfPage, ownReward, ownWithdrawal } from './view.ts'
import { minimumWithdrawal } from './withdraw.ts'

export { checkCode, sendCode } from './codes.ts'
export { withdrawRewards } from './withdraw.ts'

/** Finds the promoter of a token and extends the token; null when it is unknown or expired. */
export async function findPromoter(ctx: Context, tokenHash: Buffer): Promise<PromoterFacts | null> {
  const found = await findToken(ctx, tokenHash)
  if (!found) return null
  const end = tokenEnd(found, ctx.now())
  if (end !== null) await updateTokenEnd(ctx, found.tokenId, end)
  const { tokenId, referrerId, projectId } = found
  return { tokenId, referrerId, projectId }
}

/** The promoter who calls. @throws REFERRAL_TOKEN_INVALID */
export function promoterOf({ caller }: Context): PromoterFacts {
  return caller.kind === 'promoter' ? caller : fail('REFERRAL_TOKEN_INVALID')
}

/** The promoter's code, link, campaigns and totals. */
export async function promoterPage(ctx: Context): Promise<PromoterPage> {
  const { referrerId, projectId } = promoterOf(ctx)
  const promoter = await getReferrer(ctx, { projectId, projectIds: [projectId] }, referrerId)
  const project = await getProject(ctx, projectId)
  const balances = await showBalances(ctx, referrerId)
  const logo = hasOwnLogo(project.logo_path) ? `${(await siteUrl(ctx)) ?? ''}${project.logo_path}` : ''
  const [most] = balances.toSorted((a, b) => Number(b.available) - Number(a.available))
  return {
    referrer: {
      code: promoter.code,
      email: maskEmail(promoter.email),
      status: promoter.status,
      link: shareLink(project.website, promoter.code),
    },
    project: { name: project.name, logoPath: logo, brandColor: project.brand_color },
    campaigns: (await activeCampaignsOf(ctx, promoter)).map(campaignOfPage),
    totals: most ?? { currencyCode: 'USD', earned: '0', available: '0', held: '0', paid: '0' },
    balances,
    refereeCount: promoter.referee_count,
    minWithdrawal: await minimumWithdrawal(ctx),
    payableIn: (await payableAssets(ctx)).map(({ currencyCode, blockchainCode, blockchainId, decimals }) => {
      const blockchainName = findBlockchain(blockchainId)?.name ?? blockchainCode
      return { currencyCode, blockchainCode, blockchainName, decimals }
    }),
  }
}

/** The promoter's own rewards, newest first. */
export function ownRewards(ctx: Context, input: PageInput): Promise<PageOf<OwnReward>> {
  return listRewards(ctx, { referrerId: promoterOf(ctx).referrerId }, input, ownReward)
}

/** The promoter's own withdrawals, newest first. */
export async function ownWithdrawals(ctx: Context, input: PageInput): Promise<PageOf<OwnWithdrawalRow>> {
  const { referrerId, projectId } = promoterOf(ctx)
  const page = await listReferralPayouts(ctx, { ...input, referrerId, projectIds: [projectId] })
  return { ...page, data: page.data.map(ownWithdrawal) }
}

/** One of the promoter's own withdrawals. @throws WITHDRAWAL_NOT_FOUND */
export async function ownWithdrawalOf(ctx: Context, id: bigint): Promise<OwnWithdrawalRow> {
  const { referrerId, projectId } = promoterOf(ctx)
  return ownWithdrawal(await findReferralPayout(ctx, { id: String(id), referrerId, projectIds: [projectId] }))
}

/** Rows of each list that the page shows. */
const SHOWN = 20

/** What the page at `/referral/…` is drawn from, and who may frame it. */
export async function promoterPageFacts(ctx: Context) {
  const project = await getProject(ctx, promoterOf(ctx).projectId)
  return {
    page: await promoterPage(ctx),
    rewards: (await ownRewards(ctx, { limit: SHOWN })).data,
    withdrawals: (await ownWithdrawals(ctx, { limit: SHOWN })).data,
    frameOrigin: frameOrigin(project.website),
  }
}
