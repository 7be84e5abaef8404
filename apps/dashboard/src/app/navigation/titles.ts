import { msg, t } from '@lingui/core/macro'
import { useEffect } from 'react'

import { usePageTitle } from '../../lib/navigation/page-title.ts'

const NETWORK_PREFIX = { sandbox: msg`[Sandbox]`, testnet: msg`[Testnet]`, mainnet: undefined } as const

export type TitleParts = {
  readonly page: string
  readonly project?: string | undefined
  readonly network?: keyof typeof NETWORK_PREFIX | undefined
}

/** Returns a document title: "[Sandbox] All payments · Acme · Kassa". */
function documentTitle({ page, project, network = 'mainnet' }: TitleParts): string {
  const prefix = NETWORK_PREFIX[network]
  const title = [page, project, 'Kassa'].filter((part) => part !== undefined && part !== '').join(' · ')
  return prefix === undefined ? title : `${t(prefix)} ${title}`
}

/** Keeps the document's title in step with the page. */
export function useDocumentTitle(parts: Omit<TitleParts, 'page'> = {}): void {
  const page = usePageTitle()
  const title = documentTitle({ ...parts, page })
  useEffect(() => {
    document.title = title
  }, [title])
}
