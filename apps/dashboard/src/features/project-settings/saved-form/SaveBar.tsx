import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'

import { Button } from '../../../ui/actions/Button.tsx'
import type { SaveFailure } from './useSavedForm.ts'

export type SaveBarProps = {
  readonly changes: number
  readonly failure: SaveFailure | undefined
  readonly sending: boolean
  readonly onDiscard: () => void
  /** Set when another operator changed the same values: shows those changes; saving overwrites them. */
  readonly onShow: (() => void) | undefined
}

/** Stays visible while a form has unsaved changes: their count, and the buttons to discard or save them. */
export function SaveBar({ changes, failure, sending, onDiscard, onShow }: SaveBarProps) {
  const text = onShow === undefined ? failure?.failure : t`Someone else changed this.`
  const reason = onShow === undefined ? failure?.reason : undefined
  return (
    <div className="sticky bottom-[calc(0.75rem+var(--page-end,0px))] z-10 flex flex-wrap items-center justify-end gap-2 rounded-card border border-border bg-raised px-4 py-3 shadow-menu">
      <p role="status" className="min-w-0 flex-1 basis-20 text-body font-medium tabular-nums">
        <Plural value={changes} one="# change" other="# changes" />
      </p>
      {text !== undefined && (
        <div role="alert" className="text-body text-danger-text">
          <p>{text}</p>
          {reason !== undefined && <p className="text-dense">{reason}</p>}
        </div>
      )}
      {onShow !== undefined && (
        <Button onClick={onShow}>
          <Trans comment="what somebody else has changed">Show</Trans>
        </Button>
      )}
      <Button kind="quiet" disabled={sending} onClick={onDiscard}>
        <Trans>Discard</Trans>
      </Button>
      <Button kind="primary" type="submit" loading={sending}>
        {onShow === undefined ? t`Save changes` : t`Overwrite`}
      </Button>
    </div>
  )
}
