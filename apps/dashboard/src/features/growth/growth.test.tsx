import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, project } from '../../testing/answers.ts'
import {
  WIRE_KASSA_EVENT,
  WIRE_REWARD,
  WIRE_SERIES,
  wireCampaign,
  wireFigure,
  wirePage,
  wirePromoter,
  wirePromoterRow,
} from '../../testing/growth-answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { CampaignDetail } from './CampaignDetail.tsx'
import { Campaigns } from './Campaigns.tsx'
import { EditCampaign, NewCampaign } from './CampaignWizard.tsx'
import { PromotersTable } from './figures/PromotersTable.tsx'
import { GrowthDashboard } from './GrowthDashboard.tsx'
import { PromoterDetail } from './PromoterDetail.tsx'

const G = '/external-platform/7/referral'
const N = '/external-platform/7/analytics'
const PLACE = '/project/7/growth'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => {
  await import('./campaign/StatusDialog.tsx')
  await import('./promoter/PromoterStatusDialog.tsx')
  await import('./events/EventDialog.tsx')
})
beforeEach(() => {
  localStorage.clear()
  window.innerWidth = 1300
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const serve = (answers: Answers, role = 'root') =>
  stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /currency/referral': () => [{ id: 1, code: 'USD', name: 'US dollar', walletPrecision: 6, blockchains: [] }],
    [`GET ${G}/events`]: () => [WIRE_KASSA_EVENT],
    [`GET ${G}/event-logs`]: () => wirePage([]),
    ...answers,
  })

const actions = () => within(screen.getByRole('menu', { name: 'Actions for Spring', hidden: true }))
const writes = (calls: ReturnType<typeof serve>) => calls.filter(({ method }) => method !== 'GET')

describe('the growth dashboard', () => {
  const figures: Answers = {
    [`GET ${N}/promoters_count`]: () => wireFigure(2, '2'),
    [`GET ${N}/referee_count`]: () => wireFigure(3, '3'),
    [`GET ${N}/campaign_count`]: () => wireFigure(4, '4'),
    [`GET ${N}/reward_value`]: () => wireFigure(5, '$25.00'),
    [`GET ${N}/total_revenue`]: () => wireFigure(7, '$250.00'),
    [`GET ${N}/reward_series`]: () => WIRE_SERIES,
  }

  it('shows figures, rewards over time and promoters; a figure that failed leaves the others', async () => {
    serve({
      ...figures,
      [`GET ${N}/reward_claimed`]: () => refusal(500, 'INTERNAL_ERROR', 'Something went wrong'),
      [`GET ${G}/referrers`]: () => wirePage([wirePromoterRow()]),
    })
    renderScreen(<GrowthDashboard projectId="7" />, `${PLACE}/analytics`)
    expect(await screen.findByText('$250.00')).toBeDefined()
    expect(await screen.findByText('Couldn’t be loaded')).toBeDefined()
    expect(await screen.findByText(/\$25\.00 in total, highest 11 Nov/)).toBeDefined()
    const table = within(await screen.findByRole('table', { name: 'Promoters' }))
    const link = table.getAllByRole('link').at(0)
    expect(link?.getAttribute('href')).toBe('/project/7/growth/analytics/promoter/9')
  })

  it('names the project of each promoter where several projects are listed, and only there', async () => {
    const heads = async () => {
      const table = within(await screen.findByRole('table', { name: 'Promoters' }))
      await table.findAllByText('ann@example.com')
      return table.getAllByRole('columnheader').map(({ textContent }) => textContent)
    }
    const row = wirePromoterRow({ project: 'Second shop' })
    serve({
      [`GET ${G}/referrers`]: () => wirePage([row]),
      'GET /external-platform/all/referral/referrers': () => wirePage([row]),
    })
    renderScreen(<PromotersTable projectId="7" empty="" />, `${PLACE}/analytics`)
    expect(await heads()).not.toContain('Project')
    cleanup()
    renderScreen(<PromotersTable projectId="all" empty="" />, '/project/all/growth/analytics')
    expect(await heads()).toContain('Project')
    expect(screen.getByText('Second shop')).toBeDefined()
  })

  it('says how a programme begins where no code was shared', async () => {
    serve({ ...figures, [`GET ${G}/referrers`]: () => wirePage([]) })
    renderScreen(<GrowthDashboard projectId="7" />, `${PLACE}/analytics`)
    expect(await screen.findByText('Nobody has shared a code yet.')).toBeDefined()
    expect(screen.getAllByRole('link', { name: 'New campaign' })[0]?.getAttribute('href')).toBe(
      '/project/7/growth/campaigns/new',
    )
  })
})

describe('campaigns and promoters', () => {
  it('pauses a campaign, and deactivates a promoter, each after saying what follows', async () => {
    const calls = serve({
      [`GET ${G}/campaigns`]: () => [wireCampaign()],
      [`PUT ${G}/campaigns/5/status`]: () => wireCampaign({ status: 'paused', pausedBecause: 'operator' }),
      [`GET ${G}/referrers/9`]: () => wirePromoter(),
      [`GET ${G}/referrers/9/rewards`]: () => wirePage([WIRE_REWARD]),
      [`PUT ${G}/referrers/9/status`]: () => wirePromoter({ status: 'inactive' }),
    })
    renderScreen(<Campaigns projectId="7" />, `${PLACE}/campaigns`)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Spring' }))
    await userEvent.click(actions().getByRole('menuitem', { name: 'Pause', hidden: true }))
    const pause = within(await screen.findByRole('dialog', { name: 'Pause Spring' }))
    expect(pause.getByText(/Rewards already owed stay owed/)).toBeDefined()
    await userEvent.click(pause.getByRole('button', { name: 'Pause' }))
    await waitFor(() => expect(writes(calls).map(({ body }) => body)).toEqual([{ status: 'paused' }]))
    cleanup()

    renderScreen(<PromoterDetail projectId="7" id={9} />, `${PLACE}/analytics/promoter/9`)
    await userEvent.click(await screen.findByRole('button', { name: 'Deactivate' }))
    const off = within(await screen.findByRole('dialog', { name: 'Deactivate ann@example.com' }))
    expect(off.getByText('Earns nothing new and can’t withdraw; owed rewards stay.')).toBeDefined()
    await userEvent.click(off.getByRole('button', { name: 'Deactivate' }))
    await waitFor(() => expect(writes(calls).at(-1)?.body).toEqual({ status: 'inactive' }))
  })

  it('goes on to ask what was asked when another operator decides meanwhile', async () => {
    let isSwitchedOff = false
    const calls = serve({
      [`GET ${G}/referrers/9`]: () => wirePromoter(isSwitchedOff ? { status: 'inactive' } : {}),
      [`GET ${G}/referrers/9/rewards`]: () => wirePage([]),
      [`PUT ${G}/referrers/9/status`]: () => {
        isSwitchedOff = true
        return refusal(409, 'REFERRER_STATUS_SAME', 'It already has this status.')
      },
    })
    renderScreen(<PromoterDetail projectId="7" id={9} />, `${PLACE}/analytics/promoter/9`)
    await userEvent.click(await screen.findByRole('button', { name: 'Deactivate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate ann@example.com' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
    expect(await dialog.findByText('It already has this status.')).toBeDefined()
    await screen.findByText('Inactive')
    expect(screen.getByRole('dialog', { name: 'Deactivate ann@example.com' })).toBeDefined()
    expect(writes(calls).map(({ body }) => body)).toEqual([{ status: 'inactive' }])
  })

  it('attaches what was ticked beside what another operator has attached meanwhile', async () => {
    const chosen = [5, 6, 7].map((id) => wireCampaign({ id, name: `Chosen ${id}`, isDefault: false }))
    let attached = [7]
    const calls = serve({
      [`GET ${G}/campaigns`]: () => chosen,
      [`GET ${G}/referrers/9`]: () => wirePromoter({ campaigns: chosen.filter(({ id }) => attached.includes(id)) }),
      [`PUT ${G}/referrers/9/campaigns`]: () => {
        attached = [6, 7]
        return writes(calls).length === 1 ? refusal(503, 'SERVICE_UNAVAILABLE', 'Busy') : wirePromoter()
      },
    })
    renderScreen(<PromoterDetail projectId="7" id={9} />, `${PLACE}/analytics/promoter/9?tabId=campaigns`)
    await userEvent.click(await screen.findByRole('button', { name: 'Attach campaigns' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Campaigns of ann@example.com' }))
    for (const id of [5, 7]) await userEvent.click(dialog.getByRole('checkbox', { name: `Chosen ${id}` }))
    const save = dialog.getByRole('button', { name: 'Attach campaigns' })
    await userEvent.click(save)
    await waitFor(() => expect(dialog.getByRole('checkbox', { name: 'Chosen 6' })).toHaveProperty('checked', true))
    await userEvent.click(save)
    await waitFor(() => expect(writes(calls)).toHaveLength(2))
    expect(writes(calls).at(-1)?.body).toEqual({ campaignIDs: [6, 5] })
  })

  it('names why a reward of a promoter became smaller', async () => {
    serve({
      [`GET ${G}/referrers/9`]: () => wirePromoter(),
      [`GET ${G}/referrers/9/rewards`]: () => wirePage([WIRE_REWARD]),
    })
    renderScreen(<PromoterDetail projectId="7" id={9} />, `${PLACE}/analytics/promoter/9`)
    expect(await screen.findByText('The payment was refunded')).toBeDefined()
    expect(screen.getByText('$6.25')).toBeDefined()
    expect(screen.getByText('of $12.50')).toBeDefined()
  })

  it('shows of all time what a promoter earned since they joined', async () => {
    const asked: URLSearchParams[] = []
    serve({
      [`GET ${G}/referrers/9`]: () => wirePromoter(),
      [`GET ${G}/referrers/9/rewards`]: () => {
        const [url] = vi.mocked(fetch).mock.lastCall ?? []
        asked.push(new URL(typeof url === 'string' ? url : '', window.location.href).searchParams)
        return asked.at(-1)?.get('view') === 'series' ? [] : wirePage([])
      },
    })
    vi.spyOn(globalThis, 'fetch')
    renderScreen(<PromoterDetail projectId="7" id={9} />, `${PLACE}/analytics/promoter/9?date=forever`)
    await waitFor(() => expect(asked.some((query) => query.get('view') === 'series')).toBe(true))
    const series = asked.find((query) => query.get('view') === 'series')
    expect(series?.get('dateFrom')).toBe(wirePromoter().createdAt.replace('.000Z', 'Z'))
  })

  it('offers only moves that a campaign may make, and none to operators who only read', async () => {
    serve({ [`GET ${G}/campaigns`]: () => [wireCampaign({ ended: true })] })
    renderScreen(<Campaigns projectId="7" />, `${PLACE}/campaigns`)
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for Spring' }))
    const items = actions()
      .getAllByRole('menuitem', { hidden: true })
      .map(({ textContent }) => textContent)
    expect(items).toEqual(['Open', 'Duplicate', 'Archive'])
    cleanup()
    serve(
      { [`GET ${G}/campaigns/5`]: () => wireCampaign(), [`GET ${G}/campaigns/5/rewards`]: () => wirePage([]) },
      'auditor',
    )
    renderScreen(<CampaignDetail projectId="7" id={5} />, `${PLACE}/campaigns/5`)
    expect(await screen.findByRole('heading', { name: 'Spring' })).toBeDefined()
    expect(await screen.findByText('No reward yet.')).toBeDefined()
    for (const name of ['Pause', 'Archive']) expect(screen.queryByRole('button', { name })).toBeNull()
  })
})

describe('the campaign wizard', () => {
  const next = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }))

  it('leads in five steps to a campaign, with an example beside them and what it can cost', async () => {
    const calls = serve({ [`POST ${G}/campaigns`]: () => wireCampaign() })
    const history = renderScreen(<NewCampaign projectId="7" />, `${PLACE}/campaigns/new`)
    await screen.findByRole('heading', { name: 'Basics' })
    await next()
    expect(await screen.findByText('Name is required')).toBeDefined()
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Spring')
    await next()
    await screen.findByRole('heading', { name: 'What counts' })
    expect(screen.getByRole('checkbox', { name: /Payment through Kassa/ })).toHaveProperty('checked', true)
    await next()
    await screen.findByRole('heading', { name: 'Rewards' })
    await userEvent.type(screen.getByRole('textbox', { name: 'Percentage' }), '10')
    expect(await screen.findByText('The promoter gets $20.00.')).toBeDefined()
    await next()
    await screen.findByRole('heading', { name: 'Limits' })
    await userEvent.type(screen.getByRole('textbox', { name: 'Budget' }), '100')
    await next()
    await screen.findByRole('heading', { name: 'Review' })
    expect(screen.getByText('At most $100.00: its budget.')).toBeDefined()
    expect(screen.getByText('Each person is rewarded once: a promoter once, an invitee once.')).toBeDefined()
    // Ten percent of $2,000 would pass the budget: it is not given.
    expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['$2.00', '$20.00', '$0.00'])
    await userEvent.click(screen.getByRole('button', { name: 'Start campaign' }))
    await waitFor(() => expect(history.location.pathname).toBe('/project/7/growth/campaigns/5'))
    expect(writes(calls)[0]?.body).toMatchObject({
      name: 'Spring',
      eventKeys: ['kassa_payment'],
      rewardType: 'percentage',
      rewardValue: '10',
      campaignTypePerCustomer: 'one_time',
      budget: '100',
      isDefault: true,
    })
    expect(localStorage.getItem('campaignDraft.7')).toBeNull()
  })

  it('keeps what was begun on this device, and starts over when asked', async () => {
    serve({})
    renderScreen(<NewCampaign projectId="7" />, `${PLACE}/campaigns/new`)
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Spring')
    cleanup()
    renderScreen(<NewCampaign projectId="7" />, `${PLACE}/campaigns/new`)
    expect(await screen.findByText('This draft was started on this device.')).toBeDefined()
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Spring')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', '')
  })

  it('puts what the server refuses beside its field', async () => {
    const filled = { name: 'Spring', rewardType: 'percentage', rewardValue: '10' }
    localStorage.setItem('campaignDraft.7', JSON.stringify(filled))
    serve({
      [`POST ${G}/campaigns`]: () =>
        refusal(400, 'CAMPAIGN_RULES', 'Unknown event x', { fields: { eventKeys: 'Unknown event x' } }),
    })
    renderScreen(<NewCampaign projectId="7" />, `${PLACE}/campaigns/new?step=5`)
    await userEvent.click(await screen.findByRole('button', { name: 'Start campaign' }))
    expect(await screen.findByRole('heading', { name: 'What counts' })).toBeDefined()
    expect(screen.getAllByText('Unknown event x').length).toBeGreaterThan(0)
  })

  it('changes of a campaign that has begun only what may change', async () => {
    const calls = serve({
      [`GET ${G}/campaigns/5`]: () => wireCampaign(),
      [`PUT ${G}/campaigns/5`]: () => wireCampaign({ budget: '200' }),
    })
    renderScreen(<EditCampaign projectId="7" id={5} />, `${PLACE}/campaigns/5/edit`)
    const budget = await screen.findByRole('textbox', { name: 'Budget' })
    expect(screen.getByRole('region', { name: 'What stays' })).toBeDefined()
    await userEvent.clear(budget)
    await userEvent.type(budget, '200')
    await userEvent.click(screen.getByRole('button', { name: 'Save campaign' }))
    await waitFor(() => expect(writes(calls)).toHaveLength(1))
    const sent = writes(calls).map(({ body }) => body)
    expect(sent).toEqual([{ budget: '200', timezone: expect.any(String) }])
  })

  it('leaves the days of a campaign as they are when somebody of another time zone changes its name', async () => {
    const days = { started: false, startDate: '2030-01-01T05:00:00.000Z', endDate: '2030-02-01T04:59:59.999Z' }
    const calls = serve({
      [`GET ${G}/campaigns/5`]: () => wireCampaign(days),
      [`PUT ${G}/campaigns/5`]: () => wireCampaign(days),
    })
    renderScreen(<EditCampaign projectId="7" id={5} />, `${PLACE}/campaigns/5/edit`)
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), ' 2030')
    for (const next of ['Continue', 'Continue', 'Continue', 'Continue', 'Save campaign']) {
      // oxlint-disable-next-line no-await-in-loop -- each step leads to the next
      await userEvent.click(await screen.findByRole('button', { name: next }))
    }
    await waitFor(() => expect(writes(calls)).toHaveLength(1))
    expect(writes(calls)[0]?.body).toMatchObject({ name: 'Spring 2030', budget: expect.anything() })
    expect(Object.keys(writes(calls)[0]?.body as object)).not.toEqual(expect.arrayContaining(['startDate']))
    expect(Object.keys(writes(calls)[0]?.body as object)).not.toEqual(expect.arrayContaining(['endDate']))
  })
})

describe('events', () => {
  it('are added with a key that fits, and opened with what was reported', async () => {
    const made = { ...WIRE_KASSA_EVENT, id: 2, key: 'first_purchase', name: 'First purchase', isEditable: true }
    const calls = serve({ [`GET ${G}/campaigns`]: () => [], [`POST ${G}/events`]: () => made })
    renderScreen(<Campaigns projectId="7" />, `${PLACE}/campaigns?tabId=events`)
    await userEvent.click(await screen.findByRole('button', { name: 'New event' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New event' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'First purchase')
    await userEvent.type(dialog.getByRole('textbox', { name: 'Key' }), 'first purchase')
    await userEvent.click(dialog.getByRole('button', { name: 'Add event' }))
    expect(await dialog.findByText('Key may have letters, digits, - and _ only')).toBeDefined()
    await userEvent.clear(dialog.getByRole('textbox', { name: 'Key' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Key' }), 'first_purchase')
    await userEvent.click(dialog.getByRole('button', { name: 'Add event' }))
    await waitFor(() => expect(writes(calls)[0]?.body).toMatchObject({ key: 'first_purchase', eventType: 'simple' }))
  })
})
