import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'

import { storeUser } from '../api/session.ts'
import { SecondFactorRoute } from './second-factor.tsx'
import { me } from '../testing/answers.ts'
import { refusal, stubServer } from '../testing/stub-server.ts'
import '../testing/patient.ts'

// What opens over the page is loaded once; a busy machine takes its time.
beforeAll(async () => {
  await import('../features/step-up/PasswordProof.tsx')
  await import('../features/security/enrolment/TotpDialog.tsx')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

it('asks for proof of presence where an operator must add a second factor and signed in long ago', async () => {
  let isProved = false
  stubServer({
    'GET /member/me': () => {
      const one = me()
      return { ...one, secondFactor: { ...one.secondFactor, setupRequired: true } }
    },
    'GET /member/me/second-factor': () => ({
      enrolled: false,
      policy: 'always',
      totp: false,
      passkeys: [],
      backupCodesLeft: 0,
    }),
    'POST /session/step-up': () => {
      isProved = true
      return { windowUntil: '2099-01-01T00:00:00.000Z' }
    },
    'POST /member/me/totp': () =>
      isProved
        ? {
            secret: 'SECRET1',
            otpauthURI: 'otpauth://totp/Kassa:ada?secret=SECRET1',
            qrSvg: '<svg />',
            expiresAt: '2099-01-01T00:00:00.000Z',
          }
        : refusal(403, 'STEP_UP_REQUIRED', 'Confirm that it is you.', {
            data: { class: 'S', action: 'A19', methods: ['password'] },
          }),
  })
  storeUser({ key: 'ks_test', role: { name: 'root' }, rootExists: true })
  const rootRoute = createRootRoute()
  const page = createRoute({ getParentRoute: () => rootRoute, path: '/secondFactor', component: SecondFactorRoute })
  const history = createMemoryHistory({ initialEntries: ['/secondFactor'] })
  const router = createRouter({ routeTree: rootRoute.addChildren([page]), history })
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Add authenticator app' }))
  const proof = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  await userEvent.type(proof.getByLabelText(/Password/), 'Correct.Horse9')
  await userEvent.click(proof.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('SECRET1')).toBeDefined()
})
