import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { useSearchState } from '../../../lib/navigation/search.ts'
import { me, sandboxConfiguration } from '../../../testing/answers.ts'
import { paymentDetail, reference, wireDetail } from '../../../testing/payment-answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { refusal, stubServer } from '../../../testing/stub-server.ts'
import { PaymentDrawer } from '../PaymentDrawer.tsx'

beforeEach(() => void (window.innerWidth = 1300))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const pathOf = (digit: number) => `/external-platform/7/payment/${reference(digit)}`

/** A drawer that shows the payment which the address names. */
function Opened() {
  const [{ open = '' }] = useSearchState()
  return <PaymentDrawer projectId="7" reference={open} listed={[1, 2].map(reference)} />
}

it('is not said to have failed at what was refused of the payment before', async () => {
  stubServer({
    'GET /member/me': () => me(),
    'GET /configuration/default': () => sandboxConfiguration,
    'GET /external-platform/7/webhook': () => [],
    [`GET ${pathOf(1)}`]: () => wireDetail(paymentDetail({ referenceID: reference(1) })),
    [`GET ${pathOf(2)}`]: () => wireDetail(paymentDetail({ referenceID: reference(2) })),
    [`POST ${pathOf(1)}/resend-webhook`]: () => refusal(409, 'WEBHOOK_INACTIVE', 'The endpoint is off.'),
  })
  renderScreen(<Opened />, `/project/7/payments/allPayments?open=${reference(1)}`)
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
  const resend = () => screen.findByRole('menuitem', { name: 'Resend webhook', hidden: true })
  // Both are known by then: each is drawn at once.
  await resend()
  await press('Next')
  await screen.findByRole('dialog', { name: 'Payment …000002' })
  await resend()
  await press('Previous')
  await userEvent.click(await resend())
  await screen.findByText('The endpoint is off.')
  await press('Next')
  await screen.findByRole('dialog', { name: 'Payment …000002' })
  await waitFor(() => expect(screen.queryByText('The endpoint is off.')).toBeNull())
})
