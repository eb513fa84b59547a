import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.layer.css'
import '../ui/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { openFromNotices } from '../features/operations/notifications/opened.ts'
import { keepTokenFresh } from '../kit/api.ts'
import { watchIdle } from '../kit/idle.ts'
import { registerServiceWorker } from '../kit/service-worker.ts'
import { refuseStrayDrops } from '../ui/stray-drops.ts'
import { keepPastesWhole } from '../ui/whole-paste.ts'
import { Providers } from './providers.tsx'
import { loadPublicColors } from './public-colors.ts'
import { router } from './router.tsx'

const root = document.getElementById('app')
if (!root) throw new Error('The page has no #app')

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
)

keepTokenFresh()
watchIdle()
keepPastesWhole()
refuseStrayDrops()
void loadPublicColors()
void import('../ui/keyboard.ts').catch(() => undefined) // of use once something has been pressed
if (import.meta.env.PROD) void registerServiceWorker()
openFromNotices((path) => void router.navigate(path))
