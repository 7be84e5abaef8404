/** The referral programme as the shop's people see it. */
import type { Page } from 'playwright-core'

import { API, type Changes, HELD, refusal, REFUSED, type Row } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { choose, fill, press } from '../hand.ts'
import type { Seed } from '../seed.ts'
import { inEveryState, R, WITH_PAYOUTS } from './samples.ts'

const N = `${API}/external-platform/*/analytics`

const none = (answer: Row) => ({ ...answer, data: [], total: 0, nextCursor: null })

export function growthScreens({ shop: { project }, programme }: Seed): readonly Screen[] {
  const growth = `/project/${project}/growth`
  return [
    ...dashboards(`${growth}/analytics`),
    ...campaigns(`${growth}/campaigns`),
    ...wizard(`${growth}/campaigns`, programme.campaign),
    ...campaign(`${growth}/campaigns/${programme.campaign}`, `${growth}/campaigns/${programme.chosen}`),
    ...events(`${growth}/campaigns?tabId=events`),
    ...promoter(`${growth}/analytics/promoter/${programme.promoter}`),
    ...payouts(),
  ]
}

function dashboards(path: string): readonly Screen[] {
  const shows = 'Rewards over time'
  return [
    ...inSet('A', [{ name: 'growth', path, shows: 'maya.okafor@people.example' }]),
    {
      name: 'growth-all',
      path: '/project/all/growth/analytics',
      set: 'A',
      shows: 'maya.okafor@people.example',
    },
    { name: 'growth-empty', path, shows: 'Nobody has shared a code yet.', alters: { [`${R}/referrers*`]: none } },
    {
      name: 'growth-failed',
      path,
      shows: /couldn’t be loaded/i,
      alters: { [`${N}/reward_value*`]: REFUSED, [`${N}/reward_series*`]: REFUSED, [`${R}/referrers*`]: REFUSED },
    },
    {
      name: 'growth-waiting',
      path,
      set: 'C',
      shows,
      alters: { [`${N}/*`]: HELD, [`${R}/referrers*`]: HELD },
    },
    { name: 'growth-chart-table', path, shows: 'Promoters', act: (page) => press(page, /View .* as table/) },
  ]
}

function campaigns(path: string): readonly Screen[] {
  const menu = (item: string) => async (page: Page) => {
    await press(page, 'Actions for Spring launch')
    await choose(page, item)
  }
  return [
    ...inSet('A', [{ name: 'campaigns', path, shows: 'Spring launch' }]),
    {
      name: 'campaigns-empty',
      path,
      shows: 'No campaigns.',
      alters: { [`${R}/campaigns?*`]: [], [`${R}/campaigns`]: [] },
    },
    {
      name: 'campaigns-failed',
      path,
      shows: /couldn’t be loaded/i,
      alters: { [`${R}/campaigns?*`]: REFUSED, [`${R}/campaigns`]: REFUSED },
    },
    { name: 'campaigns-pause', path, shows: /Rewards already owed stay owed/, isOverlay: true, act: menu('Pause') },
    { name: 'campaigns-archive', path, shows: /Archiving is final/, isOverlay: true, act: menu('Archive') },
  ]
}

function wizard(campaigns: string, id: number): readonly Screen[] {
  const path = `${campaigns}/new`
  const next = (page: Page) => press(page, 'Continue')
  const steps: readonly ((page: Page) => Promise<void>)[] = [
    async (page) => {
      if (await page.getByRole('button', { name: 'Start over' }).isVisible()) await press(page, 'Start over')
      await fill(page, 'Name', 'Summer')
    },
    next,
    next,
    async (page) => {
      await fill(page, 'Percentage', '10')
      await next(page)
    },
    async (page) => {
      await fill(page, 'Budget', '600')
      await next(page)
    },
  ]
  const upTo = (step: number) => async (page: Page) => {
    await page.getByRole('heading', { name: 'Basics' }).waitFor()
    for (const act of steps.slice(0, step)) await act(page)
  }
  const headings = ['Basics', 'What counts', 'Rewards', 'Limits', 'Review']
  return [
    ...inSet(
      'A',
      headings.map((shows, at) => ({ name: `wizard-${at + 1}`, path, shows, act: upTo(at + 1) })),
    ),
    {
      name: 'wizard-errors',
      path,
      shows: 'Name is required',
      act: async (page) => {
        await page.getByRole('heading', { name: 'Basics' }).waitFor()
        await fill(page, 'Name', ' ')
        await next(page)
      },
    },
    {
      name: 'wizard-refused',
      path,
      shows: 'The database does not answer.',
      alters: { [`POST ${R}/campaigns`]: REFUSED },
      act: async (page) => {
        await upTo(5)(page)
        await press(page, 'Start campaign')
      },
    },
    { name: 'wizard-running', path: `${campaigns}/${id}/edit`, shows: 'What stays' },
  ]
}

function campaign(path: string, chosen: string): readonly Screen[] {
  return [
    ...inSet('A', [
      { name: 'campaign', path, shows: 'Spring launch', alters: { [`${R}/campaigns/*/rewards*`]: inEveryState } },
    ]),
    { name: 'campaign-promoters', path: `${path}?tabId=promoters`, shows: 'maya.okafor@people.example' },
    { name: 'campaign-settings', path: `${path}?tabId=settings`, shows: 'Spring launch' },
    {
      name: 'campaign-no-reward',
      path: chosen,
      shows: 'No reward yet.',
      alters: { [`${R}/campaigns/*/rewards*`]: none },
    },
    { name: 'campaign-failed', path, shows: /couldn’t be loaded/i, alters: { [`${R}/campaigns/*`]: REFUSED } },
    {
      name: 'campaign-missing',
      path: path.replace(/\d+$/, '999999'),
      shows: 'There’s no such campaign here',
    },
  ]
}

function events(path: string): readonly Screen[] {
  return [
    ...inSet('A', [{ name: 'events', path, shows: 'First purchase' }]),
    { name: 'events-failed', path, shows: /couldn’t be loaded/i, alters: { [`${R}/events*`]: REFUSED } },
    {
      name: 'event-new',
      path,
      shows: 'Add event',
      isOverlay: true,
      act: async (page) => {
        await press(page, 'New event')
        await fill(page, 'Key', 'first purchase')
        await press(page, 'Add event')
      },
    },
    {
      name: 'event-taken',
      path,
      shows: 'Add event',
      isOverlay: true,
      alters: {
        [`POST ${R}/events`]: refusal(409, 'REFERRAL_EVENT_EXISTS', 'This event exists already.'),
      },
      act: async (page) => {
        await press(page, 'New event')
        await fill(page, 'Name', 'First purchase')
        await fill(page, 'Key', 'first_purchase')
        await press(page, 'Add event')
      },
    },
    {
      name: 'event-logs',
      path,
      shows: /^curl -X POST/,
      isOverlay: true,
      act: (page) => page.getByText('first_purchase').filter({ visible: true }).first().click(),
    },
  ]
}

function promoter(path: string): readonly Screen[] {
  const alters: Changes = { [`${R}/referrers/*/rewards*`]: inEveryState }
  return [
    ...inSet('A', [{ name: 'promoter', path, shows: 'The payment was refunded', alters }]),
    { name: 'promoter-payouts', path: `${path}?tabId=payouts`, shows: 'USDC', alters: WITH_PAYOUTS },
    { name: 'promoter-campaigns', path: `${path}?tabId=campaigns`, shows: 'Creators' },
    { name: 'promoter-nothing', path, shows: 'Nothing earned yet.', alters: { [`${R}/referrers/*/rewards?*`]: none } },
    { name: 'promoter-failed', path, shows: /couldn’t be loaded/i, alters: { [`${R}/referrers/*`]: REFUSED } },
    {
      name: 'promoter-deactivate',
      path,
      shows: /Earns nothing new/,
      isOverlay: true,
      act: (page) => press(page, 'Deactivate'),
    },
    {
      name: 'promoter-inactive',
      path,
      shows: 'Activate',
      alters: { [`${R}/referrers/*`]: (answer: Row) => ({ ...answer, status: 'inactive' }) },
    },
  ]
}

function payouts(): readonly Screen[] {
  const path = '/withdraw/referral-payouts'
  const listed = `${R}/payouts?*`
  const over = { path, isOverlay: true, alters: WITH_PAYOUTS }
  return [
    ...inSet('A', [{ name: 'referral-payouts', path, shows: 'maya.okafor@people.example', alters: WITH_PAYOUTS }]),
    { name: 'referral-payouts-empty', path, shows: 'No promoter has asked for a payout.' },
    {
      name: 'referral-payouts-failed',
      path,
      shows: /couldn’t be loaded/i,
      alters: { [listed]: REFUSED, [`${R}/payouts/metrics`]: REFUSED },
    },
    { name: 'referral-payouts-waiting', path, set: 'C', shows: 'Referral payouts', alters: { [listed]: HELD } },
    { ...over, name: 'referral-payouts-minimum', shows: 'Minimum in US dollars', act: (page) => press(page, 'Change') },
    { ...over, name: 'referral-payouts-approve', shows: 'Approve payout', act: (page) => press(page, 'Approve next') },
    {
      ...over,
      name: 'referral-payouts-reject',
      shows: 'Say why, for the promoter',
      act: async (page) => {
        await press(page, 'Reject')
        await press(page, 'Reject payout')
      },
    },
  ]
}
