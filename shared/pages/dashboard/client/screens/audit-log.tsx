import { forBusiness } from '#shared/pages/dashboard/client/api.ts';
import { List } from '#shared/pages/dashboard/client/parts/list.tsx';
import { Time } from '#shared/pages/dashboard/client/parts/text.tsx';
import type { Place } from '#shared/pages/dashboard/client/router.ts';

/** What the members of the business changed, in both modes. */
export const AuditLog = ({ place }: { place: Place }) => (
  <>
    <h1>Audit log</h1>
    <p class="quiet">What members changed here, in both modes. Nobody can edit it.</p>
    <List
      place={place}
      name="audit log"
      load={(cursor) => forBusiness(place).auditLog(cursor ?? null)}
      keyOf={({ id }) => id}
      empty={<p>Nothing was changed yet.</p>}
      columns={[
        { title: 'When', cell: ({ at }) => <Time at={at} /> },
        { title: 'Who', cell: ({ actor }) => actor.email },
        { title: 'What', cell: ({ what }) => what },
        { title: 'Mode', cell: ({ mode }) => mode },
        { title: 'From', cell: ({ address }) => <code>{address}</code> },
      ]}
    />
  </>
);
