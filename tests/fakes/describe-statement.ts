import type pg from "pg";

export interface DescribedColumn {
  name: string;
  /** The object ids of its type and of the table that it comes from unchanged; table 0: it is computed. */
  typeId: number;
  tableId: number;
  /** Its number in that table. */
  columnId: number;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[];
}

/** What PostgreSQL says of a statement that it parses and does not run: the columns of its result. Throws what it finds wrong. */
export function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  return new Promise((resolve, reject) => {
    let columns: DescribedColumn[] = [];
    client.query({
      submit(connection: pg.Connection) {
        connection.parse({ name: "", text, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription({ fields }: RowDescription) {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          typeId: dataTypeID,
          tableId: tableID,
          columnId: columnID,
        }));
      },
      handleReadyForQuery: () => resolve(columns),
      handleError: reject,
    });
  });
}
