import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { signerQuery } from '../../../api/signer.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

/** The signer as a file, with its hash to compare with the release notes. */
export function SignerDownload() {
  const { data } = useQuery(signerQuery)
  if (!data) return null
  const { sha256 } = data
  return (
    <p className="text-dense text-muted">
      <TextLink href="/signer.html" newTab>
        <Trans>Download signer</Trans>
      </TextLink>{' '}
      <Trans>
        SHA-256 <code className="break-all">{sha256}</code>: compare it with the release notes before you open the file.
      </Trans>
    </p>
  )
}
