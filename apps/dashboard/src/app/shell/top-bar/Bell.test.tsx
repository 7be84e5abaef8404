import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { AT, me } from '../../../testing/answers.ts'
import { attentionAnswer } from '../../../testing/attention-answers.ts'
import {
  isCount,
  paymentDetail,
  paymentRow,
  reference,
  wireDetail,
  wirePage,
} from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { Bell } from './Bell.tsx'
import { AllPayments } from '../../../features/payments/AllPayments.tsx'
import { AttentionCard } from '../../../features/system/attention/AttentionCard.tsx'
import { attentionItems } from '../../../features/system/attention/attention-items.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const alarm = (id: number, kind = 'chain_behind', subject = 'BASE') => ({
  id,
  kind,
  subject,
  params: null,
  text: `${subject} is 40 blocks behind.`,
  since: AT,
})
const ATTENTION = 'GET /project/7/attention'
const SOME = { payments: 10, deposits: 3, alarms: [alarm(1)] }

const SEARCH = 'POST /external-platform/7/payment/search'

function show(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    [ATTENTION]: () => attentionAnswer(SOME),
    ...answers,
  })
  renderScreen(<Bell />, '/project/7/dashboard')
  return calls
}

describe('Bell', () => {
  it('counts what is new as the lists it leads to do, names each thing and leads to exactly that', async () => {
    show()
    expect(await screen.findByRole('button', { name: 'Needs attention: 14 new' })).toBeDefined()
    const list = within(screen.getByRole('list', { name: 'Needs attention', hidden: true }))
    const links = list.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href'))
    expect(links).toEqual([
      '/project/7/payments/allPayments?view=attention',
      '/project/7/payments/allPayments?view=unmatched',
      '/settings/blockchains/BASE',
    ])
    expect(list.getByText('10 payments need attention')).toBeDefined()
    expect(list.getByText('3 deposits to decide about')).toBeDefined()
  })

  it('asks for a backup, and leads to where the command stands; read once, it is no news in another project', async () => {
    const lastTakenAt = new Date(Date.now() - 9.5 * 86_400_000).toISOString()
    show({ [ATTENTION]: () => attentionAnswer({ backup: { lastTakenAt } }) })
    expect(await screen.findByRole('button', { name: 'Needs attention: 1 new' })).toBeDefined()
    const link = screen.getByText('Last backup 9 days ago').closest('a')
    expect(link?.getAttribute('href')).toBe('/settings/system')
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read', hidden: true }))
    cleanup()
    stubServer({
      'GET /member/me': () => me(),
      'GET /project/8/attention': () => attentionAnswer({ backup: { lastTakenAt: null } }),
    })
    renderScreen(<Bell />, '/project/8/dashboard')
    expect(await screen.findByText('No backup yet')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Needs attention: nothing new' })).toBeDefined()
  })

  it('does not say that nothing needs attention while it could not be fetched', async () => {
    for (const answer of [
      () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later.'),
      () => attentionAnswer({ unread: ['deposits'] }),
    ]) {
      show({ [ATTENTION]: answer })
      expect(await screen.findByRole('button', { name: 'Needs attention: not known' })).toBeDefined()
      expect(screen.getByText(/^What needs attention is not known/)).toBeDefined()
      cleanup()
    }
  })

  it('asks for everything at once', async () => {
    const calls = show()
    await screen.findByRole('button', { name: 'Needs attention: 14 new' })
    expect(calls.map(({ path }) => path)).toEqual(['/member/me', '/project/7/attention'])
  })

  it('remembers what was read, and counts what came since', async () => {
    show()
    await screen.findByRole('button', { name: 'Needs attention: 14 new' })
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read', hidden: true }))
    expect(await screen.findByRole('button', { name: 'Needs attention: nothing new' })).toBeDefined()
    cleanup()
    show({ [ATTENTION]: () => attentionAnswer({ ...SOME, alarms: [alarm(1), alarm(2, 'node_forked')] }) })
    expect(await screen.findByRole('button', { name: 'Needs attention: 1 new' })).toBeDefined()
  })

  it('has no news when some of what was read is seen to, only when there is more than then', async () => {
    const waiting = (payments: number, deposits: number) => {
      cleanup()
      show({ [ATTENTION]: () => attentionAnswer({ payments, deposits }) })
    }
    waiting(5, 2)
    await screen.findByRole('button', { name: 'Needs attention: 7 new' })
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read', hidden: true }))
    waiting(4, 1)
    expect(await screen.findByText('4 payments need attention')).toBeDefined()
    expect(await screen.findByText('1 deposit to decide about')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Needs attention: nothing new' })).toBeDefined()
    waiting(6, 1)
    expect(await screen.findByRole('button', { name: 'Needs attention: 6 new' })).toBeDefined()
  })

  it('has news of what comes after something was seen to, though there was as much before', async () => {
    const waiting = async (payments: number, said: string) => {
      cleanup()
      show({ [ATTENTION]: () => attentionAnswer({ payments, deposits: 2 }) })
      expect(await screen.findByRole('button', { name: `Needs attention: ${said}` })).toBeDefined()
      await screen.findByText('2 deposits to decide about')
    }
    await waiting(5, '7 new')
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read', hidden: true }))
    await waiting(0, 'nothing new')
    await waiting(3, '3 new')
  })

  it('forgets nothing that was read of another project', async () => {
    const look = (projectId: string) => {
      cleanup()
      stubServer({
        'GET /member/me': () => me(),
        [`GET /project/${projectId}/attention`]: () => attentionAnswer(SOME),
      })
      renderScreen(<Bell />, `/project/${projectId}/dashboard`)
    }
    const read = async (unread: string) => {
      await screen.findByRole('button', { name: `Needs attention: ${unread} new` })
      await userEvent.click(screen.getByRole('button', { name: 'Mark all as read', hidden: true }))
    }
    look('7')
    await read('14')
    look('8')
    await read('13')
    for (const projectId of ['7', '8']) {
      look(projectId)
      expect(await screen.findByText('10 payments need attention')).toBeDefined()
      expect(await screen.findByText('3 deposits to decide about')).toBeDefined()
      expect(screen.getByRole('button', { name: 'Needs attention: nothing new' })).toBeDefined()
    }
    expect(localStorage.getItem('bellRead')?.split('\n')).toHaveLength(5)
  })

  it('is short where there is much, and exact in the list', async () => {
    show({ [ATTENTION]: () => attentionAnswer({ ...SOME, payments: 1204 }) })
    expect(await screen.findByRole('button', { name: 'Needs attention: 99+ new' })).toBeDefined()
    expect(screen.getByText('1,204 payments need attention')).toBeDefined()
  })

  it('asks for nothing the operator may not read', async () => {
    const calls = show({}, 'platform_referral_admin')
    await screen.findByText(/Nothing needs attention\. Payments and deposits that wait/)
    expect(calls.map(({ path }) => path)).toEqual(['/member/me'])
  })
})

describe('attentionItems', () => {
  it('holds nothing where nothing waits', () => {
    expect(attentionItems({ projectId: '7', alarms: [], unmatched: 0, payments: 0 })).toEqual([])
  })
})

describe('what needs attention', () => {
  const NO_DEPOSITS = { data: [], total: 0, limit: 50, offset: 0, nextCursor: null }
  const payment = '/external-platform/7/payment'

  it('is counted alike by the bell, the dashboard’s card and the list’s view, before and after a decision', async () => {
    let inNeed = 2
    const row = paymentRow({ paymentStatus: 'OVER_FILLED', needsAttention: true })
    const detail = () =>
      paymentDetail({ paymentState: 'OVER_FILLED', fundingState: 'confirmed', needsAttention: inNeed === 2 })
    stubServer({
      'GET /member/me': () => me(),
      [ATTENTION]: () => attentionAnswer({ payments: inNeed }),
      'GET /external-platform/7/missed-deposit': () => NO_DEPOSITS,
      'GET /project/7/deposits': () => NO_DEPOSITS,
      [`GET ${payment}/summary`]: () => ({ totalCount: 2, closedCount: 2, openCount: 0, cancelledCount: 0 }),
      [`GET ${payment}/${reference(1)}`]: () => wireDetail(detail()),
      [SEARCH]: (call) => (isCount(call) ? wirePage([], { totalCount: inNeed }) : wirePage([row])),
      [`POST ${payment}/${reference(1)}/resolve`]: () => {
        inNeed = 1
        return wireDetail(detail())
      },
    })
    const screens = (
      <>
        <Bell />
        <AttentionCard projectId="7" />
        <AllPayments projectId="7" onListed={() => undefined} />
      </>
    )
    renderScreen(screens, '/project/7/payments/allPayments')
    const counts = async (said: string, inView: string) => {
      await waitFor(() => expect(screen.getAllByText(said)).toHaveLength(2))
      expect(screen.getByRole('link', { name: /^Needs attention/ }).textContent).toBe(`Needs attention${inView}`)
    }
    await counts('2 payments need attention', '2')
    await userEvent.click(await screen.findByRole('button', { name: /^Actions for payment/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Mark as resolved', hidden: true }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Mark as resolved?' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Note' }), 'Refunded')
    await userEvent.click(dialog.getByRole('button', { name: 'Mark as resolved' }))
    await counts('1 payment needs attention', '1')
  })
})
