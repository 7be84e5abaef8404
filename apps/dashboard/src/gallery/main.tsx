/** Every part of `ui/` in every state: `npm run gallery`. It is no page of the product and is not built into it. */
import '../styles/app.css'

import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { startLocale } from '../lib/text/locale.ts'
import { parseSearch, stringifySearch } from '../lib/navigation/search.ts'
import { Gallery } from './Gallery.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

const routeTree = createRootRoute({ component: Gallery, notFoundComponent: Gallery })

void startLocale().then(() => {
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={createRouter({ routeTree, parseSearch, stringifySearch })} />
    </StrictMode>,
  )
})
