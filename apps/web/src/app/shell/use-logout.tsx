import { lazy, Suspense, useEffect, useState } from 'react'
import { countUnsent, discardUnsent } from '../../features/conversations/messages/unsent.ts'
import { stopPushes } from '../../features/operations/notifications/device.ts'
import { api } from '../../kit/api.ts'
import { endingSessions } from '../../kit/own-end.ts'

const loadQuestion = async () => ({ default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog })
const ConfirmDialog = lazy(loadQuestion)

/** Ends the session here whatever the server answers; there, when it can be reached. Asks first when something was not sent. */
export const useLogout = () => {
  const [unsent, setUnsent] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => void loadQuestion().catch(() => undefined), 3_000) // what was not sent is asked about without a network too
    return () => clearTimeout(timer)
  }, [])
  const leave = async () => {
    await discardUnsent()
    await stopPushes()
    await endingSessions(
      () => api.post('/auth/logout/', {}, { timeoutMs: 5_000 }).catch(() => undefined), // leaving must always work
    )
  }
  return {
    logout: () => {
      const left = unsentText()
      if (left) setUnsent(left)
      else void leave()
    },
    question: unsent && (
      <Suspense fallback={null}>
        <ConfirmDialog
          opened
          title="Sair sem enviar?"
          confirmLabel="Sair e apagar"
          cancelLabel="Ficar"
          tone="danger"
          onConfirm={() => void leave()}
          onClose={() => setUnsent(null)}
        >
          {unsent} Se você sair, isso é apagado deste navegador.
        </ConfirmDialog>
      </Suspense>
    ),
  }
}

const unsentText = (): string | null => {
  const { messages, trays } = countUnsent()
  if (messages) return messages === 1 ? 'Uma mensagem ainda não saiu.' : `${messages} mensagens ainda não saíram.`
  if (trays)
    return trays === 1 ? 'Há arquivos por enviar em uma conversa.' : `Há arquivos por enviar em ${trays} conversas.`
  return null
}
