import { Navigate } from 'react-router'

/** The board itself stands one level deeper, by stage and by tag. */
export default function KanbanScreen() {
  return <Navigate to="/kanban/kanbans" replace />
}
