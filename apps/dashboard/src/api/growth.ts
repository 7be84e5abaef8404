import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { GrowthFigureName } from '@kassa/contract/referral/figures.ts'
import type { CampaignStatus, PromoterStatus } from '@kassa/contract/referral/machine.ts'
import { growthRoutes } from '@kassa/contract/referral/growth-routes.ts'
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralPayoutsRoutes,
  rewardCurrenciesRoutes,
} from '@kassa/contract/referral/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'
import { pageBefore } from './page-before.ts'
import { readWholeList } from './whole-lists.ts'

type QueryOf<R extends Parameters<typeof call>[0]> = NonNullable<RouteCall<R>['query']>

export type CampaignFilter = QueryOf<typeof campaignsRoutes.listCampaigns>
type EventLogFilter = QueryOf<typeof referralEventsRoutes.listEventLogs>
export type PromoterFilter = QueryOf<typeof promotersRoutes.listPromoters>
export type CampaignRequest = NonNullable<RouteCall<typeof campaignsRoutes.createCampaign>['body']>
type NewEventRequest = NonNullable<RouteCall<typeof referralEventsRoutes.createReferralEvent>['body']>
type EventChangeRequest = NonNullable<RouteCall<typeof referralEventsRoutes.changeReferralEvent>['body']>

/** Rewards follow final payments by themselves; a message of one may be lost. */
const WATCH_MS = 30_000

/** One figure of the programme (N3). */
export function growthFigureQuery(projectId: string, figure: GrowthFigureName, filters: GraphFilters = {}) {
  return queryOptions({
    queryKey: ['growth', projectId, 'figure', figure, filters],
    queryFn: ({ signal }) =>
      call(growthRoutes.getGrowthFigure, { params: { p: projectId, x: figure }, query: filters }, { signal }),
    placeholderData: pageBefore(projectId),
    refetchInterval: WATCH_MS * 10,
  })
}

/** Every campaign of a project, or of `all`, newest first. */
export function campaignsQuery(projectId: string, filter: CampaignFilter = {}) {
  return queryOptions({
    queryKey: ['growth', projectId, 'campaigns', filter],
    queryFn: ({ signal }) =>
      readWholeList((page) => {
        const query = { ...filter, ...page }
        return call(campaignsRoutes.listCampaigns, { params: { p: projectId }, query }, { signal })
      }),
    placeholderData: pageBefore(projectId),
  })
}

/** One campaign. */
export function campaignQuery(projectId: string, id: number) {
  return queryOptions({
    queryKey: ['growth', projectId, 'campaign', id],
    queryFn: ({ signal }) => call(campaignsRoutes.getCampaign, { params: { p: projectId, id } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** What a campaign has given, by the books. */
export function campaignTotalQuery(projectId: string, id: number) {
  return queryOptions({
    queryKey: ['growth', projectId, 'campaign-total', id],
    queryFn: ({ signal }) =>
      call(campaignsRoutes.getCampaignRewardsTotal, { params: { p: projectId, id } }, { signal }),
  })
}

/** A page of the rewards of a campaign, newest first. */
export function campaignRewardsQuery(projectId: string, id: number, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['growth', projectId, 'campaign-rewards', id, cursor],
    queryFn: ({ signal }) =>
      call(campaignsRoutes.listCampaignRewards, { params: { p: projectId, id }, query: { cursor } }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** Everything a shop may report, and what Kassa reports itself. */
export function referralEventsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['growth', projectId, 'events'],
    queryFn: ({ signal }) =>
      readWholeList((query) =>
        call(referralEventsRoutes.listReferralEvents, { params: { p: projectId }, query }, { signal }),
      ),
  })
}

/** A page of what was reported, newest first. */
export function eventLogsQuery(projectId: string, filter: EventLogFilter) {
  return queryOptions({
    queryKey: ['growth', projectId, 'event-logs', filter],
    queryFn: ({ signal }) =>
      call(referralEventsRoutes.listEventLogs, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** A page of promoters. */
export function promotersQuery(projectId: string, filter: PromoterFilter) {
  return queryOptions({
    queryKey: ['growth', projectId, 'promoters', filter],
    queryFn: ({ signal }) =>
      call(promotersRoutes.listPromoters, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** One promoter: what they earned, and what became of it. */
export function promoterQuery(projectId: string, id: number) {
  return queryOptions({
    queryKey: ['growth', projectId, 'promoter', id],
    queryFn: ({ signal }) => call(promotersRoutes.getPromoter, { params: { p: projectId, id } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** A page of the rewards of a promoter, newest first. */
export function promoterRewardsQuery(projectId: string, id: number, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['growth', projectId, 'promoter-rewards', id, cursor],
    queryFn: async ({ signal }) => {
      const query = { view: 'list' as const, cursor }
      const answer = await call(
        promotersRoutes.listPromoterRewards,
        { params: { p: projectId, id }, query },
        { signal },
      )
      return Array.isArray(answer) ? undefined : answer
    },
    placeholderData: pageBefore(projectId),
  })
}

/** What a promoter earned over time. */
export function promoterSeriesQuery(
  projectId: string,
  id: number,
  span: { dateFrom?: string; dateTo?: string; timezone: string },
) {
  return queryOptions({
    queryKey: ['growth', projectId, 'promoter-series', id, span],
    queryFn: async ({ signal }) => {
      const query = { view: 'series' as const, ...span }
      const answer = await call(
        promotersRoutes.listPromoterRewards,
        { params: { p: projectId, id }, query },
        { signal },
      )
      return Array.isArray(answer) ? answer : []
    },
    placeholderData: pageBefore(projectId),
  })
}

/** A page of the withdrawals of a promoter, newest first. */
export function promoterWithdrawalsQuery(projectId: string, id: number, cursor: string | undefined) {
  return queryOptions({
    queryKey: ['growth', projectId, 'promoter-withdrawals', id, cursor],
    queryFn: ({ signal }) =>
      call(
        referralPayoutsRoutes.listPromoterWithdrawals,
        { params: { p: projectId, id }, query: { cursor } },
        { signal },
      ),
    placeholderData: pageBefore(projectId),
  })
}

/** What a campaign may pay in. */
export const rewardCurrenciesQuery = queryOptions({
  queryKey: ['reward-currencies'],
  queryFn: ({ signal }) => call(rewardCurrenciesRoutes.listRewardCurrencies, {}, { signal }),
  staleTime: 300_000,
})

/** Returns the functions that change the programme; each throws RequestError, and reads it again either way. */
export function useGrowthChanges(projectId: string) {
  const once = useChange('growth')
  const one = (id: number) => ({ p: projectId, id })
  return {
    createCampaign: (body: CampaignRequest) =>
      once(['create', projectId, body], (idempotencyKey) =>
        call(campaignsRoutes.createCampaign, { params: { p: projectId }, body }, { idempotencyKey }),
      ),
    changeCampaign: (id: number, body: CampaignRequest) =>
      once(['change', id, body], (idempotencyKey) =>
        call(campaignsRoutes.changeCampaign, { params: one(id), body }, { idempotencyKey }),
      ),
    setCampaignStatus: (id: number, status: CampaignStatus) =>
      once(['status', id, status], (idempotencyKey) =>
        call(campaignsRoutes.setCampaignStatus, { params: one(id), body: { status } }, { idempotencyKey }),
      ),
    createEvent: (body: NewEventRequest) =>
      once(['event', projectId, body], (idempotencyKey) =>
        call(referralEventsRoutes.createReferralEvent, { params: { p: projectId }, body }, { idempotencyKey }),
      ),
    changeEvent: (id: number, body: EventChangeRequest) =>
      once(['event', id, body], (idempotencyKey) =>
        call(referralEventsRoutes.changeReferralEvent, { params: one(id), body }, { idempotencyKey }),
      ),
    setPromoterStatus: (id: number, status: PromoterStatus) =>
      once(['promoter', id, status], (idempotencyKey) =>
        call(promotersRoutes.setPromoterStatus, { params: one(id), body: { status } }, { idempotencyKey }),
      ),
    setPromoterCampaigns: (id: number, campaignIDs: number[]) =>
      once(['attach', id, campaignIDs], (idempotencyKey) =>
        call(promotersRoutes.setPromoterCampaigns, { params: one(id), body: { campaignIDs } }, { idempotencyKey }),
      ),
  }
}
