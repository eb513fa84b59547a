import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import { dismissToast, type Toast, useToasts } from './notify.ts'
import classes from './toasts.module.css'

const icons = { success: IconCheck, error: IconX, info: IconInfoCircle, warning: IconAlertTriangle }

/** Where toasts appear: over nothing that has a name, is pressed or typed into. They wait while the mouse is on them. */
export const Toasts = () => (
  <section className={classes.toasts} aria-label="Avisos" aria-live="polite">
    {useToasts().map((toast) => (
      <ToastCard key={toast.id} toast={toast} />
    ))}
  </section>
)

/** The bar's animation is the clock: it pauses by CSS on hover, and its end is the toast's. */
const ToastCard = ({ toast }: { toast: Toast }) => {
  const Icon = icons[toast.tone]
  return (
    <div
      className={classes.toast}
      data-toast
      data-tone={toast.tone}
      role={toast.tone === 'error' || toast.tone === 'warning' ? 'alert' : 'status'}
    >
      <span className={classes.icon} aria-hidden>
        <Icon size={16} stroke={2} />
      </span>
      <span className={classes.text} data-leads={toast.action !== undefined}>
        {toast.message}
      </span>
      {toast.action && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            dismissToast(toast.id)
            toast.action?.onClick()
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <CloseButton size="sm" aria-label="Fechar aviso" onClick={() => dismissToast(toast.id)} />
      <span
        className={classes.bar}
        data-clock // keeps its time even where no motion is wanted
        style={{ animationDuration: `${toast.staysMs}ms` }}
        onAnimationEnd={() => dismissToast(toast.id)}
        aria-hidden
      />
    </div>
  )
}
