import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me, project } from '../../testing/answers.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../testing/stub-server.ts'
import { PayoutPolicy } from './PayoutPolicy.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const PATH = '/project/7/payout-config'
const config = (more: object = {}) => ({
  payoutConfig: {
    ...{ autoApproveLimitInUSD: '0', hourlyLimitInUSD: '5000', dailyLimitInUSD: '10000', quorum: 1, quorumRules: [] },
    ...{ fourEyes: 'auto', allowList: [], recipientDelayHours: 0, paused: false, version: 3, updatedAt: AT },
    ...{ approvers: 2, fourEyesInForce: true, pausedAt: null, installPausedAt: null, ...more },
  },
})
const run = (more: object = {}) => ({
  ...{ days: 90, payouts: 0, wouldAutoApprove: 0, wouldNeedApproval: 0, wouldBlock: 0 },
  ...{ newlyBlocked: 0, needMoreApprovals: 0, lessStrict: 0, samples: [], ...more },
})

function show(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /external-platform/all': () => [project(7, 'Acme')],
    'GET /external-platform/details': () => [],
    [`GET ${PATH}`]: () => config(),
    [`POST ${PATH}/dry-run`]: () => run(),
    ...answers,
  })
  renderScreen(<PayoutPolicy />, '/settings/policies?projectId=7')
  return { sent: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body), calls }
}

describe('Payout policy', () => {
  it('reads as sentences, as it is typed, and without a history says so', async () => {
    show()
    const rules = within(await screen.findByRole('list', { name: 'Rules' }))
    expect(rules.getByText('Nothing leaves without an approval.')).toBeDefined()
    expect(await screen.findByText('No payouts in 90 days to try it on.')).toBeDefined()
    const field = screen.getByRole('textbox', { name: 'Without approval up to' })
    await userEvent.clear(field)
    await userEvent.type(field, '50')
    expect(
      rules.getByText('Up to $50.00 each: no approval, while hour and day stay within their limits.'),
    ).toBeDefined()
  })

  it('tries a draft, and saves what was changed with the version it was read in', async () => {
    const { sent, calls } = show({
      [`POST ${PATH}/dry-run`]: () => run({ payouts: 812, newlyBlocked: 3, needMoreApprovals: 41 }),
      [`PUT ${PATH}`]: () => config({ dailyLimitInUSD: '100', version: 4 }),
    })
    const field = await screen.findByRole('textbox', { name: 'Limit per 24 hours' })
    await userEvent.clear(field)
    await userEvent.type(field, '100')
    expect(
      await screen.findByText(
        '812 payouts · 3 would have been blocked · 41 need more approvals · 0 would need fewer approvals',
      ),
    ).toBeDefined()
    await waitFor(() =>
      expect(calls.findLast(({ path }) => path === `${PATH}/dry-run`)?.body).toEqual({
        dailyLimitInUSD: '100',
        days: 90,
      }),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Save policy' }))
    expect(await screen.findByText('Payout policy saved')).toBeDefined()
    expect(sent()).toEqual([{ dailyLimitInUSD: '100', version: 3 }])
  })

  it('pauses with one press, and says that it is paused', async () => {
    const { sent } = show({ [`PUT ${PATH}`]: () => config({ paused: true, version: 4 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Pause this project' }))
    await waitFor(() => expect(sent()).toEqual([{ paused: true }]))
    expect(await screen.findByText('Sending is paused: payouts wait until an operator resumes it.')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Resume this project' })).toBeDefined()
  })

  it('shows why it cannot be saved', async () => {
    show({ [`PUT ${PATH}`]: () => refusal(409, 'POLICY_UNREACHABLE', 'Fewer than 3 people may approve.') })
    const field = await screen.findByRole('textbox', { name: 'Limit per hour' })
    await userEvent.clear(field)
    await userEvent.type(field, '1')
    await userEvent.click(screen.getByRole('button', { name: 'Save policy' }))
    expect(await screen.findByText('Fewer than 3 people may approve.')).toBeDefined()
  })

  it('is read by those who may not change it, and offers another try when it does not come', async () => {
    show({}, 'auditor')
    expect(await screen.findByText('Changing them needs payout_policy:write. Ask an administrator.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Save policy' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Pause this project' })).toBeNull()
    cleanup()
    show({ [`GET ${PATH}`]: () => refusal(500, 'INTERNAL_ERROR', 'Something broke on our side.') })
    expect(await screen.findByText('The payout policy couldn’t be loaded')).toBeDefined()
  })

  it('keeps what is being typed while sending is paused beside it', async () => {
    const { sent } = show({
      [`PUT ${PATH}`]: ({ body }) => config({ ...(body as object), paused: true, version: sent().length + 3 }),
    })
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Limit per 24 hours' })
    await userEvent.clear(field)
    await userEvent.type(field, '100')
    await userEvent.click(screen.getByRole('button', { name: 'Pause this project' }))
    expect(await screen.findByText('Sending is paused: payouts wait until an operator resumes it.')).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Limit per 24 hours' }).value).toBe('100')
    expect(screen.queryByText(/Somebody else changed this policy/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Save policy' }))
    expect(await screen.findByText('Payout policy saved')).toBeDefined()
    expect(sent()).toEqual([{ paused: true }, { dailyLimitInUSD: '100', version: 4 }])
  })

  it('takes in what somebody else saved meanwhile, keeps what was typed, and says so', async () => {
    let stored = {}
    const { sent } = show({
      [`GET ${PATH}`]: () => config(stored),
      [`PUT ${PATH}`]: ({ body }) => {
        const { version, ...change } = body as { version: number }
        if (version === 3) return refusal(409, 'EDIT_CONFLICT', 'Someone else changed this.')
        stored = { ...stored, ...change, version: 5 }
        return config(stored)
      },
    })
    const field = await screen.findByRole('textbox', { name: 'Limit per 24 hours' })
    await userEvent.clear(field)
    await userEvent.type(field, '100')
    stored = { hourlyLimitInUSD: '70', version: 4 }
    await userEvent.click(screen.getByRole('button', { name: 'Save policy' }))
    expect(await screen.findByText(/^Somebody else changed this policy meanwhile\./)).toBeDefined()
    const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name }).value
    expect([valueOf('Limit per 24 hours'), valueOf('Limit per hour')]).toEqual(['100', '70'])
    await userEvent.click(screen.getByRole('button', { name: 'Save policy' }))
    expect(await screen.findByText('Payout policy saved')).toBeDefined()
    expect(sent().at(-1)).toEqual({ dailyLimitInUSD: '100', version: 4 })
    expect(screen.queryByText(/^Somebody else changed/)).toBeNull()
  })
})
