import type { ReactNode } from 'react'

import { useFollow } from '../../lib/navigation/navigate.ts'
import { buttonClasses } from './button-classes.ts'
import type { ButtonKind, ButtonSize } from './button-classes.ts'

export type LinkButtonProps = {
  readonly href: string
  readonly children: ReactNode
  readonly kind?: ButtonKind
  readonly size?: ButtonSize
  readonly icon?: ReactNode
  readonly newTab?: boolean
  readonly wide?: boolean
}

/** A link that looks like a button: for going somewhere, where Button is for doing something. */
export function LinkButton({
  href,
  children,
  kind = 'secondary',
  size = 'medium',
  icon,
  newTab,
  wide,
}: LinkButtonProps) {
  const follow = useFollow()
  const tab = newTab === true ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <a href={href} onClick={follow} {...tab} className={buttonClasses(kind, size, { wide: wide === true })}>
      {icon !== undefined && (
        <span aria-hidden className="-ms-0.5 inline-flex max-[20rem]:hidden [&>svg]:size-4">
          {icon}
        </span>
      )}
      {children}
    </a>
  )
}
