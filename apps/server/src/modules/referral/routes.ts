import { fail } from '@kassa/contract/kit/api-error.ts'
import type {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
  rewardCurrenciesRoutes,
} from '@kassa/contract/referral/routes.ts'

import type { ProjectScope } from '../../context.ts'
import { type Handlers, reply } from '../../http/handlers.ts'
import { nextLink } from '../../paging/next-link.ts'
import { readSpan } from '../../paging/span.ts'
import {
  changeCampaign,
  createCampaign,
  listCampaigns,
  readCampaignOf,
  rewardCurrencies,
  setCampaignStatus,
  totalsOfCampaign,
} from './campaigns/service.ts'
import { changeEvent, createEvent, listEvents, readEvent } from './events/service.ts'
import { listLogs, logEvent } from './logs/service.ts'
import {
  attachCampaigns,
  listPromoters,
  readPromoter,
  showReferrer,
  summarizeReferrer,
  totalReferees,
} from './promoters/service.ts'
import {
  authenticateReferrer,
  getByReference,
  getReferrer,
  linkReferee,
  setReferrerStatus,
} from './referrers/service.ts'
import { listRewards, rewardSeries, rewardSums } from './rewards/lists.ts'

export const referralShopHandlers: Handlers<typeof referralShopRoutes> = {
  authenticateReferrer: async (ctx, { scope, body }) => {
    const { redirectURL, referrer } = await authenticateReferrer(ctx, one(scope), body)
    return { redirectURL, referrer: await showReferrer(ctx, referrer) }
  },
  linkReferee: async (ctx, { scope, body }) => showReferrer(ctx, await linkReferee(ctx, one(scope), body)),
  logReferralEvent: (ctx, { scope, body }) => logEvent(ctx, one(scope), body),
  getReferrer: async (ctx, { scope, query }) =>
    summarizeReferrer(ctx, await getByReference(ctx, one(scope), query.referenceID)),
}

export const campaignsHandlers: Handlers<typeof campaignsRoutes> = {
  listCampaigns: async (ctx, { scope, params, query }) => {
    const { campaigns, total, nextCursor } = await listCampaigns(ctx, scope, query)
    const path = `/api/v1/external-platform/${params.p}/referral/campaigns`
    return reply(campaigns, {
      headers: { 'x-total-count': String(total), ...nextLink(path, query, nextCursor) },
    })
  },
  createCampaign: (ctx, { scope, body }) => createCampaign(ctx, one(scope), body),
  getCampaign: (ctx, { scope, params }) => readCampaignOf(ctx, scope, params.id),
  changeCampaign: (ctx, { scope, params, body }) => changeCampaign(ctx, scope, params.id, body),
  setCampaignStatus: (ctx, { scope, params, body }) => setCampaignStatus(ctx, scope, params.id, body.status),
  getCampaignRewardsTotal: (ctx, { scope, params }) => totalsOfCampaign(ctx, scope, params.id),
  listCampaignRewards: async (ctx, { scope, params, query }) => {
    await readCampaignOf(ctx, scope, params.id)
    return listRewards(ctx, { campaignId: params.id, status: query.status, ...readSpan(query) }, query)
  },
}

export const rewardCurrenciesHandlers: Handlers<typeof rewardCurrenciesRoutes> = {
  listRewardCurrencies: (ctx) => rewardCurrencies(ctx),
}

export const referralEventsHandlers: Handlers<typeof referralEventsRoutes> = {
  listReferralEvents: async (ctx, { scope, params, query }) => {
    const { events, total, nextCursor } = await listEvents(ctx, scope, query)
    const path = `/api/v1/external-platform/${params.p}/referral/events`
    return reply(events, {
      headers: { 'x-total-count': String(total), ...nextLink(path, query, nextCursor) },
    })
  },
  createReferralEvent: (ctx, { scope, body }) => createEvent(ctx, one(scope), body),
  getReferralEvent: (ctx, { scope, params }) => readEvent(ctx, scope, params.id),
  changeReferralEvent: (ctx, { scope, params, body }) => changeEvent(ctx, scope, params.id, body),
  listEventLogs: (ctx, { scope, query }) => listLogs(ctx, scope, query),
}

export const promotersHandlers: Handlers<typeof promotersRoutes> = {
  listPromoters: (ctx, { scope, query }) => listPromoters(ctx, scope, query),
  getPromoter: (ctx, { scope, params }) => readPromoter(ctx, scope, params.id),
  countReferees: async (ctx, { scope, params, query }) => ({
    total: await totalReferees(ctx, scope, params.id, query),
  }),
  getPromoterRewardsTotal: async (ctx, { scope, params, query }) => {
    await getReferrer(ctx, scope, params.id)
    return rewardSums(ctx, { referrerId: params.id, ...readSpan(query) }, query.currencyCode)
  },
  listPromoterRewards: async (ctx, { scope, params, query }) => {
    await getReferrer(ctx, scope, params.id)
    if (query.view === 'series') return rewardSeries(ctx, params.id, query)
    const { campaignIDs: campaignIds, status } = query
    return listRewards(ctx, { referrerId: params.id, campaignIds, status, ...readSpan(query) }, query)
  },
  setPromoterStatus: async (ctx, { scope, params, body }) =>
    showReferrer(ctx, await setReferrerStatus(ctx, scope, params.id, body.status)),
  setPromoterCampaigns: async (ctx, { scope, params, body }) =>
    showReferrer(ctx, await attachCampaigns(ctx, scope, params.id, body.campaignIDs)),
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
