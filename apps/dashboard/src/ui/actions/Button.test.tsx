import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { Button } from './Button.tsx'

afterEach(cleanup)

describe('Button', () => {
  it('runs its action on a press', async () => {
    const onClick = vi.fn<() => void>()
    render(<Button onClick={onClick}>Create link</Button>)
    await userEvent.click(screen.getByRole('button', { name: 'Create link' }))
    expect(onClick).toHaveBeenCalledOnce()
  })

  it('hides its label while loading, keeps it as its name and ignores clicks', async () => {
    const onClick = vi.fn<() => void>()
    render(
      <Button loading onClick={onClick}>
        Create link
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Create link' })
    expect(button.getAttribute('aria-busy')).toBe('true')
    expect(screen.getByText('Create link').className).toContain('opacity-0')
    await userEvent.click(button)
    expect(onClick).not.toHaveBeenCalled()
  })

  it('blocks clicks while disabled and can still be focused', async () => {
    const onClick = vi.fn<() => void>()
    render(
      <Button disabled title="Enter a name first." onClick={onClick}>
        Continue
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Continue' })
    await userEvent.click(button)
    await userEvent.tab()
    expect(onClick).not.toHaveBeenCalled()
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.hasAttribute('disabled')).toBe(false)
  })

  it('does not submit its form while loading', async () => {
    const onSubmit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault())
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" loading>
          Send
        </Button>
      </form>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(onSubmit).not.toHaveBeenCalled()
  })
})
