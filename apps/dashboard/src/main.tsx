import './styles/app.css'

import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { createQueryClient } from './app/query-client.ts'
import { createAppRouter } from './app/router.tsx'
import { keepScrollbarWidth } from './app/scrollbar.ts'
import { startLocale } from './lib/text/locale.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')

const queryClient = createQueryClient()
const router = createAppRouter()

// Measured while the page is empty: to tell the styles restyles all there is.
keepScrollbarWidth()
void startLocale().then(() => {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
})
