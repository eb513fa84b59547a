import { Button } from '@mantine/core'
import { IconCake } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

const BirthdaysDrawer = lazy(async () => ({ default: (await import('./birthdays-drawer.tsx')).BirthdaysDrawer }))

export const BirthdaysButton = () => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" fw={400} leftSection={<IconCake size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Aniversariantes de hoje
      </Button>
      <Suspense fallback={null}>{isOpen && <BirthdaysDrawer onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
