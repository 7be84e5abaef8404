import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/** Stands in for a part of a page whose code did not arrive; a deployment takes away the files of pages that are open. */
export function MissingPart() {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-body">
      {missingText()}
      <Reload kind="secondary" />
    </p>
  )
}

/** The same for what opens over a page, which stays as it is until the operator says otherwise. */
export function MissingLayer({ onClose }: { onClose: () => void }) {
  const foot = (
    <>
      <Button onClick={onClose}>
        <Trans>Stay on this page</Trans>
      </Button>
      <Reload kind="primary" />
    </>
  )
  return (
    <Dialog title={missingText()} size={400} onClose={onClose} foot={foot}>
      <Trans>Reload the page to open it. Anything typed there and not saved is lost.</Trans>
    </Dialog>
  )
}

function missingText(): string {
  return t`This could not be loaded`
}

/** The browser asks for code that did not arrive only with a new page, which may lose what was typed: a person says so. */
function Reload({ kind }: { kind: 'primary' | 'secondary' }) {
  return (
    <Button kind={kind} onClick={() => window.location.reload()}>
      <Trans>Reload the page</Trans>
    </Button>
  )
}
