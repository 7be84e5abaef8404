import { t } from '@lingui/core/macro'

/** Whether any money is meant: what is not known yet and what is zero look alike. */
export function isSome(amount: string | undefined): amount is string {
  return amount !== undefined && /[1-9]/.test(amount)
}

/** Stands where there is none. */
export function None() {
  return (
    <span aria-label={t`None`} className="text-muted">
      –
    </span>
  )
}
