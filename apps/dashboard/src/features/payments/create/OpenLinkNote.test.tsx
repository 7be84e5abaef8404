import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import {
  paymentDetail,
  paymentRow,
  reference,
  wireCreated,
  wireDetail,
  wirePage,
} from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, type SentCall, stubServer } from '../../../testing/stub-server.ts'
import type { Answers } from '../../../testing/stub-server.ts'
import { CreateLink } from '../CreateLink.tsx'

const CREATE = 'POST /external-platform/7/payment'
const PAGE = '/project/7/payments/createPaymentLink'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const mayReplace = ({ body }: SentCall) => (body as { replace?: boolean }).replace === true

function open(answers: Answers = {}, query = '') {
  const calls = stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/readiness': () => ({ ready: true, missing: [], chains: [], leastAmountInUSD: '0.10' }),
    'GET /external-platform/7/members': () => ({ members: [], totalCount: 0, nextCursor: null }),
    [`GET /external-platform/7/payment/${reference(1)}`]: () => wireDetail(paymentDetail()),
    ...answers,
  })
  renderScreen(<CreateLink projectId="7" />, `${PAGE}${query}`)
  return { user: userEvent.setup(), sent: () => calls.filter(({ path, method }) => `${method} ${path}` === CREATE) }
}

const amount = () => screen.findByRole('textbox', { name: 'Amount in USD' })
const email = () => screen.findByRole('textbox', { name: 'Customer e-mail' })

/** A customer whom the form knows, with an open link. */
const { createdAt, updatedAt, ...customer } = paymentDetail().customer
const known: Answers = {
  'GET /external-platform/7/members': () => ({
    members: [{ ...customer, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }],
    totalCount: 1,
    nextCursor: null,
  }),
  'POST /external-platform/7/payment/search': () => wirePage([paymentRow({ referenceId: reference(3) })]),
}

describe('a customer who has an open link', () => {
  it('keeps it until “Create anyway” is pressed, and Enter never means that', async () => {
    const data = { referenceID: reference(3), amountInUSD: '12.50', openLinks: 1 }
    const { user, sent } = open({
      [CREATE]: (call) =>
        mayReplace(call)
          ? wireCreated({ superseded: [reference(3)] })
          : refusal(409, 'CUSTOMER_HAS_OPEN_LINK', 'This customer already has an open link.', { data }),
    })
    await user.type(await amount(), '49')
    await user.type(await email(), 'a@example.com{Enter}')
    const text = await screen.findByText(/No link was made: .* \$12\.50\. Creating another cancels it\./)
    const banner = text.closest<HTMLElement>('[role="alert"]')
    const use = within(banner ?? document.body).getByRole('link', { name: 'Use the open one' })
    expect(banner).not.toBeNull()
    expect(use.getAttribute('href')).toContain(reference(3))
    await user.type(await email(), '{Enter}')
    await waitFor(() => expect(sent()).toHaveLength(2))
    await user.click(await screen.findByRole('button', { name: 'Create anyway' }))
    expect(await screen.findByText('It replaced this customer’s older link …000003.')).toBeDefined()
    expect(sent().map(mayReplace)).toEqual([false, false, true])
  })

  it('is shown how many links a new one would end', async () => {
    const data = { referenceID: reference(3), amountInUSD: '12.50', openLinks: 4 }
    const { user } = open({ [CREATE]: () => refusal(409, 'CUSTOMER_HAS_OPEN_LINK', 'Has one.', { data }) })
    await user.type(await amount(), '49')
    await user.type(await email(), 'a@example.com{Enter}')
    expect(await screen.findByText(/Creating another cancels all 4 open links of this customer\./)).toBeDefined()
  })

  it('is known before anything is sent, also of what the palette was given', async () => {
    const { user, sent } = open(
      { ...known, [CREATE]: () => wireCreated({ superseded: [reference(3)] }) },
      '?amount=49&email=a%40example.com',
    )
    expect(await screen.findByText(/already has an open link for \$49\.00/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Create anyway' }))
    await waitFor(() => expect(sent().map(mayReplace)).toEqual([true]))
  })

  it('keeps it when a “Create anyway” did not go out and Enter did', async () => {
    const { user, sent } = open({ ...known, [CREATE]: () => wireCreated() })
    await user.type(await amount(), '0')
    await user.type(await email(), 'a@example.com')
    await user.click(await screen.findByRole('button', { name: 'Create anyway' }))
    expect(await screen.findByText('Amount must be greater than 0')).toBeDefined()
    await user.clear(await amount())
    await user.type(await amount(), '49{Enter}')
    await waitFor(() => expect(sent().map(mayReplace)).toEqual([false]))
  })
})
