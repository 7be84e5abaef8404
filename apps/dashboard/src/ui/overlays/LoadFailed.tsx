import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useReload } from '../../lib/loading/useReload.ts'
import { Button } from '../actions/Button.tsx'
import { Dialog } from './Dialog.tsx'

/** Stands in for a part of a page whose code did not arrive; a deployment takes away the files of pages that are open. */
export function PartLoadFailed() {
  const { isRefused, ...press } = useReload()
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-body">
      {isRefused ? noAnswer() : missing()}
      <Reload kind="secondary" {...press} />
    </p>
  )
}

/** The same for what opens over a page, which stays as it is until the operator says otherwise. */
export function LayerLoadFailed({ onClose }: { onClose: () => void }) {
  const { isRefused, ...press } = useReload()
  const foot = (
    <>
      <Button onClick={onClose}>
        <Trans>Stay here</Trans>
      </Button>
      <Reload kind="primary" {...press} />
    </>
  )
  return (
    <Dialog title={missing()} size={400} onClose={onClose} foot={foot}>
      <p>
        <Trans>Reload the page to open it. Anything typed there and not saved is lost.</Trans>
      </p>
      <p role="status" className="mt-2">
        {isRefused && noAnswer()}
      </p>
    </Dialog>
  )
}

function missing(): string {
  return t`This could not be loaded`
}

function noAnswer(): string {
  return t`Kassa does not answer. Try again in a moment.`
}

type ReloadProps = {
  readonly kind: 'primary' | 'secondary'
  readonly isAsking: boolean
  readonly reload: () => void
}

/** The browser asks for code that did not arrive only with a new page, which may lose what was typed: a person says so. */
function Reload({ kind, isAsking, reload }: ReloadProps) {
  return (
    <Button kind={kind} loading={isAsking} onClick={reload}>
      <Trans>Reload the page</Trans>
    </Button>
  )
}
