import { Trans } from '@lingui/react/macro'

/**
 * Beside an entry of the menu whose screen arrives later; the entry is described by it. Text so large that it would lie
 * on the name leaves it to be read out.
 */
export function PlannedMark({ id, isAside = false }: { id: string; isAside?: boolean }) {
  return (
    <span
      id={id}
      className={`pointer-events-none absolute inset-y-0 hidden items-center @min-[11rem]:flex text-caption text-muted ${isAside ? 'end-8' : 'end-2.5'}`}
    >
      <Trans>Planned</Trans>
    </span>
  )
}
