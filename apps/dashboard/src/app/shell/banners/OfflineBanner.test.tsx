import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { chooseZone } from '../../../lib/time/time-zone.ts'
import { OfflineBanner } from './OfflineBanner.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

describe('a page without a server', () => {
  it('says since when, by the operator’s clock', () => {
    vi.useFakeTimers({ now: new Date('2026-11-22T13:02:44Z') })
    chooseZone('Asia/Tokyo')
    render(<OfflineBanner isUnreachable />)
    expect(screen.getByText(/Showing data from 22:02\.$/)).toBeDefined()
  })

  it('says nothing while all is well', () => {
    render(<OfflineBanner isUnreachable={false} />)
    expect(screen.queryByRole('status')).toBeNull()
  })
})
